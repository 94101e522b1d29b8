/* Calls each public method of the Java classes with null for one argument after the other.

   A line "@Class.method N" begins each call. An exception is printed with the frames of its stack. */
import com.cyberbotics.webots.controller.*;
import java.lang.reflect.Array;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;

public class nulls {
  static Supervisor robot = new Supervisor();
  static final String[] CLASSES = {
    "Accelerometer", "Altimeter", "Brake", "Camera", "Compass", "Connector", "Device", "Display", "DistanceSensor",
    "Emitter", "Field", "GPS", "Gyro", "InertialUnit", "Joystick", "Keyboard", "LED", "Lidar", "LightSensor", "Motion",
    "Motor", "Mouse", "Node", "Pen", "PositionSensor", "Proto", "Radar", "RangeFinder", "Receiver", "Robot", "Skin", "Speaker",
    "Supervisor", "TouchSensor", "VacuumGripper"};

  static Object objectOf(Class<?> type) {
    if (type.isInstance(robot))
      return robot;
    if (type == Node.class)
      return robot.getRoot();
    if (type == Field.class)
      return robot.getRoot().getField("children");
    for (int i = 0; i < robot.getNumberOfDevices(); ++i)
      if (type.isInstance(robot.getDeviceByIndex(i)))
        return robot.getDeviceByIndex(i);
    if (type == Keyboard.class)
      return robot.getKeyboard();
    if (type == Mouse.class)
      return robot.getMouse();
    if (type == Joystick.class)
      return robot.getJoystick();
    return null;
  }

  static Object valueOf(Class<?> type) {
    if (type == boolean.class)
      return false;
    if (type == int.class)
      return 1;
    if (type == long.class)
      return 1L;
    if (type == short.class)
      return (short) 1;
    if (type == float.class)
      return 1f;
    if (type == double.class)
      return 1.0;
    if (type == String.class)
      return "name";
    if (type.isArray())
      return Array.newInstance(type.getComponentType(), type == double[].class ? 3 : 16);
    return objectOf(type);
  }

  static void call(String name, Method what, Object target) {
    Class<?>[] types = what.getParameterTypes();
    for (int place = 0; place < types.length; ++place) {
      if (types[place].isPrimitive())
        continue;
      Object[] values = new Object[types.length];
      for (int k = 0; k < types.length; ++k)
        values[k] = k == place ? null : valueOf(types[k]);
      System.err.println("@" + name + " " + place);
      try {
        what.invoke(target, values);
      } catch (InvocationTargetException problem) {
        System.err.print("exception " + problem.getCause());
        for (StackTraceElement frame : problem.getCause().getStackTrace())
          System.err.print(" " + frame.getMethodName());
        System.err.println();
      } catch (ReflectiveOperationException | IllegalArgumentException problem) {
        System.err.println("not called: " + problem);
      }
    }
  }

  public static void main(String[] args) throws ClassNotFoundException {
    robot.step(32);
    try {
      new Motion(null);
    } catch (NullPointerException problem) {
      System.err.println("@Motion.new 0\nexception " + problem + " Motion new");
    }
    for (String name : CLASSES) {
      Class<?> type = Class.forName("com.cyberbotics.webots.controller." + name);
      Object target = objectOf(type);
      for (Method method : type.getDeclaredMethods())
        if (Modifier.isPublic(method.getModifiers()) && (target != null || Modifier.isStatic(method.getModifiers())))
          if (!method.getName().matches("getCPtr|swigRelease"))
            call(name + "." + method.getName(), method, target);
    }
    System.err.println("@end");
    System.exit(0);
  }
}
