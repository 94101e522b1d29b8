/* The Java package com.cyberbotics.webots.controller.vehicle: the drivers of cars, which are supervisors.

   It is in the archive and the library of controller.i. generated.i has the numbers of its constants. */
%module vehicle

%{
#include <webots/vehicle/Car.hpp>
#include <webots/vehicle/Driver.hpp>
%}

%import "controller.i"

%pragma(java) jniclassimports=%{
import com.cyberbotics.webots.controller.wrapperJNI;
%}
%pragma(java) jniclasscode=%{
  static {
    wrapperJNI.load();
  }
%}

%typemap(javaimports) SWIGTYPE %{
import com.cyberbotics.webots.controller.Supervisor;
%}
%typemap(javafinalize) webots::Driver, webots::Car ""
%include <webots/vehicle/Driver.hpp>
%include <webots/vehicle/Car.hpp>
