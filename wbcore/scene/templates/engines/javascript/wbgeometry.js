// Circles, polygons and splines; points are {x, y} or {x, y, z}.
"use strict";

__wb.modules.wbgeometry = function (use) {
  const {assert, isArrayOfPoints, isScalar, isVector2} = use("wbutility");
  const expect = (name, holds, what) => assert(holds, "wbgeometry." + name + ": expected " + what);

  // div + 1 points of a circle, the last on the first; shift is the angle of the first in radians.
  function circle(radius, div, center, shift) {
    expect("circle", isScalar(radius) && radius > 0, "a positive radius");
    expect("circle", isScalar(div) && div > 0, "a positive number of parts");
    expect("circle", isVector2(center) && isScalar(shift), "a center with keys x and y and an angle");
    const points = [], step = 2 * Math.PI / div;
    for (let i = 0; i <= div; ++i)
      points.push({
        x: radius * Math.cos(i * step + shift) + center.x,
        y: radius * Math.sin(i * step + shift) + center.y
      });
    return points;
  }

  // Whether a ray from p in direction x crosses the outline an odd number of times.
  function isPoint2InPolygon(p, polygon) {
    expect("isPoint2InPolygon", isVector2(p) && isArrayOfPoints(polygon, 2),
      "a point and an array of points");
    if (polygon.length < 3)
      return false;
    let inside = false;
    let a = polygon[polygon.length - 1];
    for (const b of polygon) {
      if (p.y > a.y !== p.y > b.y && p.x <= Math.max(a.x, b.x))
        if (a.x === b.x || p.x <= (p.y - a.y) * (b.x - a.x) / (b.y - a.y) + a.x)
          inside = !inside;
      a = b;
    }
    return inside;
  }

  // The point nearest to the reference, the first of equals; the reference itself if there are no points.
  function findClosestPoint2InArray(reference, points) {
    expect("findClosestPoint2InArray", isVector2(reference) && isArrayOfPoints(points, 2),
      "a point and an array of points");
    const vector = use("wbvector2");
    let nearest = reference, least = Infinity;
    for (const point of points) {
      const distance = vector.distance(reference, point);
      if (distance < least)
        [nearest, least] = [point, distance];
    }
    return nearest;
  }

  // Whether the outline turns right as Webots computes it: true if the sum of (x' - x)(y' + y) is negative.
  function isPoint2ArrayClockwise(points) {
    expect("isPoint2ArrayClockwise", isArrayOfPoints(points, 2), "an array of points");
    let sum = 0;
    points.forEach((point, i) => {
      const following = points[(i + 1) % points.length];
      sum += (following.x - point.x) * (following.y + point.y);
    });
    return sum < 0;
  }

  // One coordinate of the uniform cubic B-spline through four control points, at t from 0 to 1.
  function blend(p, q, r, s, t) {
    const a = (-p + 3 * q - 3 * r + s) / 6;
    const b = (3 * p - 6 * q + 3 * r) / 6;
    const c = (-3 * p + 3 * r) / 6;
    const d = (p + 4 * q + r) / 6;
    return (c + t * (b + t * a)) * t + d;
  }

  // The list of points is prolonged straight on by two at either end, in place, as Webots does.
  function prolong(points, vector) {
    const beyond = (from, inner) => vector.add(from, vector.minus(from, inner));
    for (let i = 0; i < 2; ++i) {
      const last = points.length - 1;
      points.push(beyond(points[last], points[last - 1]));
    }
    for (let i = 0; i < 2; ++i)
      points.unshift(beyond(points[0], points[1]));
  }

  // Points of a cubic B-spline, `subdivision` for each segment from segment `first` on.
  function spline(points, subdivision, vector, axes, first) {
    const end = points.length + 1;
    prolong(points, vector);
    const curve = [points[2]];
    for (let i = first; i < end; ++i) {
      for (let j = 1; j <= subdivision; ++j) {
        const point = {};
        for (const axis of axes)
          point[axis] = blend(points[i - 1][axis], points[i][axis], points[i + 1][axis], points[i + 2][axis],
            j / subdivision);
        curve.push(point);
      }
    }
    return curve;
  }

  return {
    circle,
    isPoint2InPolygon,
    findClosestPoint2InArray,
    isPoint2ArrayClockwise,
    bSpline2(points, subdivision) {
      expect("bSpline2", isArrayOfPoints(points, 2) && isScalar(subdivision),
        "an array of points and a number");
      return spline(points, subdivision, use("wbvector2"), ["x", "y"], 1);
    },
    bSpline3(points, subdivision) {
      expect("bSpline3", isArrayOfPoints(points, 3) && isScalar(subdivision),
        "an array of points and a number");
      return spline(points, subdivision, use("wbvector3"), ["x", "y", "z"], 2);
    }
  };
};
