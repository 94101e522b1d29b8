/* The Java package com.cyberbotics.webots.controller, made by SWIG from the C++ classes.

   Arrays and texts of C++ become arrays and texts of Java. Devices, nodes and fields stay with the library:
   one Java object stands for each of them. generated.i has what the specification determines. */
%module wrapper

%{
#include <algorithm>
#include <string>
#include <vector>
#include <webots/Accelerometer.hpp>
#include <webots/Altimeter.hpp>
#include <webots/Brake.hpp>
#include <webots/Camera.hpp>
#include <webots/Compass.hpp>
#include <webots/Connector.hpp>
#include <webots/Device.hpp>
#include <webots/DifferentialWheels.hpp>
#include <webots/Display.hpp>
#include <webots/DistanceSensor.hpp>
#include <webots/Emitter.hpp>
#include <webots/Field.hpp>
#include <webots/GPS.hpp>
#include <webots/Gyro.hpp>
#include <webots/ImageRef.hpp>
#include <webots/InertialUnit.hpp>
#include <webots/Joystick.hpp>
#include <webots/Keyboard.hpp>
#include <webots/LED.hpp>
#include <webots/Lidar.hpp>
#include <webots/LightSensor.hpp>
#include <webots/Motor.hpp>
#include <webots/Mouse.hpp>
#include <webots/Node.hpp>
#include <webots/Pen.hpp>
#include <webots/PositionSensor.hpp>
#include <webots/Proto.hpp>
#include <webots/Radar.hpp>
#include <webots/RangeFinder.hpp>
#include <webots/Receiver.hpp>
#include <webots/Robot.hpp>
#include <webots/Servo.hpp>
#include <webots/Skin.hpp>
#include <webots/Speaker.hpp>
#include <webots/Supervisor.hpp>
#include <webots/TouchSensor.hpp>
#include <webots/VacuumGripper.hpp>
#include <webots/utils/Motion.hpp>
%}

%include "typemaps.i"
%include "arrays_java.i"
%include "std_string.i"
%include "enumsimple.swg"
%javaconst(1);

/* The library lies beside the archive, unless the path of libraries says otherwise. */
%pragma(java) jniclasscode=%{
  static {
    try {
      java.io.File archive = new java.io.File(
        wrapperJNI.class.getProtectionDomain().getCodeSource().getLocation().toURI());
      java.io.File library = new java.io.File(archive.getParentFile(), "libJavaController.so");
      if (library.isFile())
        System.load(library.getPath());
      else
        System.loadLibrary("JavaController");
    } catch (java.net.URISyntaxException | UnsatisfiedLinkError problem) {
      System.err.println("Cannot load the library of the Java controller: " + problem.getMessage());
      System.exit(1);
    }
  }

  /* For other packages in the archive: the library is loaded with this class. */
  public static void load() {}
%}

/* Objects of other packages (the vehicles) may be made from pointers. */
SWIG_JAVABODY_PROXY(public, public, SWIGTYPE)

/* Vectors: three numbers, unless a line below has another number for the function. */
%define VECTOR(pattern, count)
%typemap(out) pattern {
  $result = $1 ? SWIG_JavaArrayOutDouble(jenv, const_cast<double *>($1), count) : nullptr;
}
%enddef
%typemap(jni) const double * "jdoubleArray"
%typemap(jtype) const double * "double[]"
%typemap(jstype) const double * "double[]"
%typemap(javaout) const double * { return $jnicall; }
VECTOR(const double *, 3)
VECTOR(const double *getSFVec2f, 2)
VECTOR(const double *getMFVec2f, 2)
VECTOR(const double *getSFRotation, 4)
VECTOR(const double *getMFRotation, 4)
VECTOR(const double *getQuaternion, 4)
VECTOR(const double *getBoneOrientation, 4)
VECTOR(const double *getVelocity, 6)
VECTOR(const double *webots::Node::getOrientation, 9)
VECTOR(const double *virtualRealityHeadsetGetOrientation, 9)
VECTOR(const double *getPose, 16)
VECTOR(const double *getLookupTable, 3 * arg1->getLookupTableSize())

/* Nodes, fields and PROTOs: the library keeps them, and the same one is the same object in Java. */
%define KEPT(Type)
%nodefaultctor webots::Type;
%nodefaultdtor webots::Type;
%ignore webots::Type::find ## Type;
%ignore webots::Type::cleanup;
%extend webots::Type {
%proxycode %{
  private static final java.util.HashMap<Long, Type> known = new java.util.HashMap<>();

  static synchronized Type of(long pointer) {
    return pointer == 0 ? null : known.computeIfAbsent(pointer, one -> new Type(one, false));
  }
%}
}
%typemap(javaout) webots::Type * { return Type.of($jnicall); }
%enddef

/* Devices: likewise; getDevice returns an object of the device's class. */
%define DEVICE(Type)
%ignore webots::Robot::create ## Type;
%ignore webots::Type::Type(WbDeviceTag);
%typemap(javaout) webots::Type * {
  long pointer = $jnicall;
  return pointer == 0 ? null : (Type)Device.keep(pointer, Type.class, one -> new Type(one, false));
}
%enddef

%typemap(javaout) webots::Device * { return Device.of($jnicall); }

/* Elements of arrays are read one by one, as copies. */
%define LISTED(Element)
%rename(Element) Wb ## Element;
%enddef

KEPT(Node)
KEPT(Field)
KEPT(Proto)
LISTED(CameraRecognitionObject)
LISTED(LidarPoint)
LISTED(RadarTarget)
LISTED(ContactPoint)
LISTED(MouseState)
%ignore webots::Camera::getRecognitionObjects;
%ignore webots::Lidar::getPointCloud;
%ignore webots::Lidar::getLayerPointCloud;
%ignore webots::Radar::getTargets;
%ignore webots::Node::getContactPoints;
%ignore refOf;
%rename(positionOnImage) position_on_image;
%rename(sizeOnImage) size_on_image;
%rename(numberOfColors) number_of_colors;
%rename(receivedPower) received_power;
%rename(layerId) layer_id;
%rename(nodeId) node_id;

%include "generated.i"

/* Device. */
%ignore webots::Device::hasType;
%typemap(javafinalize) webots::Device ""
%include <webots/Device.hpp>

/* Sensors whose values are numbers. */
%include <webots/Accelerometer.hpp>
%include <webots/Altimeter.hpp>
%include <webots/Compass.hpp>
%include <webots/DistanceSensor.hpp>
%include <webots/GPS.hpp>
%include <webots/Gyro.hpp>
%include <webots/InertialUnit.hpp>
%include <webots/LightSensor.hpp>
%include <webots/PositionSensor.hpp>
%include <webots/TouchSensor.hpp>

/* Actuators. */
%include <webots/Brake.hpp>
%include <webots/Connector.hpp>
%include <webots/LED.hpp>
%include <webots/Motor.hpp>
%include <webots/Pen.hpp>
%include <webots/Servo.hpp>
%include <webots/Skin.hpp>
%include <webots/Speaker.hpp>
%include <webots/VacuumGripper.hpp>

/* Images: one int per pixel, 0xAARRGGBB. */
%typemap(jni) const unsigned char * "jintArray"
%typemap(jtype) const unsigned char * "int[]"
%typemap(jstype) const unsigned char * "int[]"
%typemap(javaout) const unsigned char * { return $jnicall; }
%typemap(out) const unsigned char * {
  const jsize size = arg1->getWidth() * arg1->getHeight();
  $result = $1 ? jenv->NewIntArray(size) : nullptr;
  if ($result) jenv->SetIntArrayRegion($result, 0, size, reinterpret_cast<const jint *>($1));
}
%define RANGES(pattern, count)
%typemap(out) pattern {
  $result = $1 ? SWIG_JavaArrayOutFloat(jenv, const_cast<float *>($1), count) : nullptr;
}
%enddef
%typemap(jni) const float * "jfloatArray"
%typemap(jtype) const float * "float[]"
%typemap(jstype) const float * "float[]"
%typemap(javaout) const float * { return $jnicall; }
RANGES(const float *, arg1->getWidth() * arg1->getHeight())
RANGES(const float *webots::Lidar::getRangeImage, arg1->getNumberOfPoints())
RANGES(const float *getLayerRangeImage, arg1->getHorizontalResolution())

%ignore imageGetRed;
%ignore imageGetGreen;
%ignore imageGetBlue;
%ignore imageGetGray;
%ignore imageGetGrey;
%ignore rangeImageGetDepth;

/* The colors of a recognized object: red, green and blue of each. */
%typemap(out) double *colors {
  $result = $1 ? SWIG_JavaArrayOutDouble(jenv, $1, 3 * arg1->number_of_colors) : nullptr;
}
%apply const double * { double *colors };
%typemap(out) double *colors {
  $result = $1 ? SWIG_JavaArrayOutDouble(jenv, $1, 3 * arg1->number_of_colors) : nullptr;
}
%typemap(javacode) WbCameraRecognitionObject %{
  public double[] getColor(int index) {
    return java.util.Arrays.copyOfRange(getColors(), 3 * index, 3 * index + 3);
  }
%}
%immutable;
%include <webots/camera_recognition_object.h>
%mutable;
%javamethodmodifiers webots::Camera::recognized "private";
%extend webots::Camera {
  WbCameraRecognitionObject recognized(int index) const { return $self->getRecognitionObjects()[index]; }
%proxycode %{
  public CameraRecognitionObject[] getRecognitionObjects() {
    CameraRecognitionObject[] all = new CameraRecognitionObject[getRecognitionNumberOfObjects()];
    java.util.Arrays.setAll(all, this::recognized);
    return all;
  }

  public static int pixelGetRed(int pixel) { return pixel >> 16 & 255; }
  public static int pixelGetGreen(int pixel) { return pixel >> 8 & 255; }
  public static int pixelGetBlue(int pixel) { return pixel & 255; }
  public static int pixelGetGray(int pixel) {
    return (pixelGetRed(pixel) + pixelGetGreen(pixel) + pixelGetBlue(pixel)) / 3;
  }
  public static int pixelGetGrey(int pixel) { return pixelGetGray(pixel); }

  public static int imageGetRed(int[] image, int width, int x, int y) {
    return pixelGetRed(image[y * width + x]);
  }
  public static int imageGetGreen(int[] image, int width, int x, int y) {
    return pixelGetGreen(image[y * width + x]);
  }
  public static int imageGetBlue(int[] image, int width, int x, int y) {
    return pixelGetBlue(image[y * width + x]);
  }
  public static int imageGetGray(int[] image, int width, int x, int y) {
    return pixelGetGray(image[y * width + x]);
  }
  public static int imageGetGrey(int[] image, int width, int x, int y) {
    return imageGetGray(image, width, x, y);
  }

  public static float rangeImageGetDepth(float[] image, int width, int x, int y) {
    return image[y * width + x];
  }
%}
}
%include <webots/Camera.hpp>
%extend webots::RangeFinder {
%proxycode %{
  public static float rangeImageGetDepth(float[] image, int width, int x, int y) {
    return image[y * width + x];
  }
%}
}
%include <webots/RangeFinder.hpp>

%immutable;
%include <webots/lidar_point.h>
%mutable;
%javamethodmodifiers webots::Lidar::point "private";
%javamethodmodifiers webots::Lidar::hasPoints "private";
%extend webots::Lidar {
  WbLidarPoint point(int index) const { return $self->getPointCloud()[index]; }
  bool hasPoints() const { return $self->getPointCloud() != nullptr; }
%proxycode %{
  public LidarPoint[] getPointCloud() {
    LidarPoint[] all = new LidarPoint[hasPoints() ? getNumberOfPoints() : 0];
    java.util.Arrays.setAll(all, this::point);
    return all;
  }

  public LidarPoint[] getLayerPointCloud(int layer) {
    int count = getHorizontalResolution();
    LidarPoint[] all = new LidarPoint[hasPoints() && 0 <= layer && layer < getNumberOfLayers() ? count : 0];
    java.util.Arrays.setAll(all, index -> point(layer * count + index));
    return all;
  }
%}
}
%include <webots/Lidar.hpp>

%immutable;
%include <webots/radar_target.h>
%mutable;
%javamethodmodifiers webots::Radar::target "private";
%extend webots::Radar {
  WbRadarTarget target(int index) const { return $self->getTargets()[index]; }
%proxycode %{
  public RadarTarget[] getTargets() {
    RadarTarget[] all = new RadarTarget[getNumberOfTargets()];
    java.util.Arrays.setAll(all, this::target);
    return all;
  }
%}
}
%include <webots/Radar.hpp>

/* Display: pixels are ints whose first byte is the most significant one, so that images of cameras are ARGB. */
%typemap(jni) const void *data "jintArray"
%typemap(jtype) const void *data "int[]"
%typemap(jstype) const void *data "int[]"
%typemap(javain) const void *data "$javainput"
%typemap(in) const void *data (std::string bytes) {
  const jsize size = $input ? jenv->GetArrayLength($input) : 0;
  std::vector<jint> pixels(static_cast<std::size_t>(size));
  if (size) jenv->GetIntArrayRegion($input, 0, size, pixels.data());
  for (const jint pixel : pixels) {
    for (int shift = 24; shift >= 0; shift -= 8) bytes += static_cast<char>(pixel >> shift);
  }
  bytes.resize(std::max(bytes.size(), static_cast<std::size_t>(4) * arg2 * arg3));
  $1 = &bytes[0];
}
%apply int[] { const int *x, const int *y };
%ignore webots::ImageRef::ImageRef;
%ignore webots::ImageRef::getImageRef;
%nodefaultctor webots::ImageRef;
%nodefaultdtor webots::ImageRef;
%extend webots::Display {
%proxycode %{
  public void drawPolygon(int[] x, int[] y) { drawPolygon(x, y, Math.min(x.length, y.length)); }
  public void fillPolygon(int[] x, int[] y) { fillPolygon(x, y, Math.min(x.length, y.length)); }
%}
}
%include <webots/ImageRef.hpp>
%include <webots/Display.hpp>
%clear const void *data;

/* Radio. */
%apply (char *STRING, size_t LENGTH) { (const void *data, int size) };
%apply (char *STRING, size_t LENGTH) { (const char *data, int size) };
%typemap(check) (const char *data, int size) {
  if (!$1) {
    SWIG_JavaThrowException(jenv, SWIG_JavaNullPointerException, "null array");
    return $null;
  }
}
%extend webots::Emitter {
%proxycode %{
  public int send(byte[] data, int size) { return send(java.util.Arrays.copyOf(data, size)); }
%}
}
%include <webots/Emitter.hpp>
%typemap(jni) const void *getData "jbyteArray"
%typemap(jtype) const void *getData "byte[]"
%typemap(jstype) const void *getData "byte[]"
%typemap(javaout) const void *getData { return $jnicall; }
%typemap(out) const void *getData {
  const jsize size = arg1->getDataSize();
  $result = $1 ? jenv->NewByteArray(size) : nullptr;
  if ($result) jenv->SetByteArrayRegion($result, 0, size, static_cast<const jbyte *>($1));
}
%include <webots/Receiver.hpp>

/* Input devices. */
%typemap(javafinalize) webots::Keyboard ""
%typemap(javafinalize) webots::Joystick ""
%typemap(javafinalize) webots::Mouse ""
%include <webots/Joystick.hpp>
%include <webots/Keyboard.hpp>
%immutable;
%include <webots/mouse_state.h>
%mutable;
%include <webots/Mouse.hpp>

/* Nodes and fields. */
%immutable;
%include <webots/contact_point.h>
%mutable;
%javamethodmodifiers webots::Node::contact "private";
%javamethodmodifiers webots::Node::countContacts "private";
%extend webots::Node {
  WbContactPoint contact(bool includeDescendants, int index) const {
    int size = 0;
    return $self->getContactPoints(includeDescendants, &size)[index];
  }
  int countContacts(bool includeDescendants) const {
    int size = 0;
    return $self->getContactPoints(includeDescendants, &size) ? size : 0;
  }
%proxycode %{
  public ContactPoint[] getContactPoints(boolean includeDescendants) {
    ContactPoint[] all = new ContactPoint[countContacts(includeDescendants)];
    java.util.Arrays.setAll(all, index -> contact(includeDescendants, index));
    return all;
  }
%}
}
%include <webots/Node.hpp>
%include <webots/Field.hpp>
%include <webots/Proto.hpp>

/* Motions. */
%ignore webots::Motion::getMotionRef;
%include <webots/utils/Motion.hpp>

/* Robots: their objects live until the program ends. */
%ignore webots::Robot::windowCustomFunction;
%ignore webots::Robot::wwiReceive;
%ignore webots::Robot::getDeviceFromTag;
%ignore webots::Robot::getDeviceTypeFromTag;
%ignore webots::Robot::getDeviceNameFromTag;
%ignore webots::Robot::getDeviceTagFromIndex;
%ignore webots::Robot::getDeviceTagFromName;
%ignore webots::Robot::getOrCreateDevice;
%ignore webots::Supervisor::getFromDeviceTag;
%ignore webots::Supervisor::getSupervisorInstance;
%typemap(javafinalize) webots::Robot, webots::DifferentialWheels, webots::Supervisor ""
%include <webots/Robot.hpp>
%include <webots/DifferentialWheels.hpp>
%include <webots/Supervisor.hpp>
