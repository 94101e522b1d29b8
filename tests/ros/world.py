"""A world whose robot has a device of each kind that the bridge to ROS 2 serves."""

from __future__ import annotations

WORLD = """#VRML_SIM R2025a utf8
WorldInfo { basicTimeStep 16 }
Robot {
  name "my robot" translation 1 2 3 controller "ros2"
  children [
    HingeJoint {
      jointParameters HingeJointParameters { axis 0 0 1 }
      device [ RotationalMotor { name "motor" } PositionSensor { name "angle" } ]
      endPoint Solid { physics Physics { density -1 mass 1 } boundingObject Box { size 0.1 0.1 0.1 } }
    }
    GPS { name "gps" }
    Accelerometer { name "acc" }
    InertialUnit { name "imu" }
    DistanceSensor { name "1st sensor" type "infra-red" lookupTable [ 0 0 0 1 1 0 ] aperture 0.5 }
    Lidar { name "lidar" horizontalResolution 5 numberOfLayers 1 fieldOfView 1 maxRange 2 minRange 0.1 }
    Lidar { name "layers" horizontalResolution 3 numberOfLayers 2 fieldOfView 1 maxRange 2 minRange 0.1 }
    RangeFinder { name "depth" width 3 height 2 fieldOfView 1 }
    Gyro { name "gyro" }
    Compass { name "compass" }
    LightSensor { name "light" lookupTable [ 0 0 0 1000 1000 0 ] }
    TouchSensor { name "bumper" type "bumper" boundingObject Box { size 0.01 0.01 0.01 } }
    TouchSensor { name "force" type "force-3d" boundingObject Box { size 0.01 0.01 0.01 } }
    Camera { name "camera" width 4 height 2 fieldOfView 1 }
    LED { name "led" color [ 1 0 0, 0 1 0 ] }
    Emitter { name "emitter" }
    Receiver { name "receiver" }
    Pen { name "pen" write FALSE }
  ]
}
"""
