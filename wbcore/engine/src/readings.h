// Values that the engine reads for sensors, and the packets that carry them.
#pragma once

#include <variant>

#include "bind.h"
#include "packets.h"

namespace wb {

inline void require_count(const char *what, size_t count, size_t wanted) {
  require(count == wanted, what, "as many as places", static_cast<double>(count));
}

inline Frame frame_of(nb::bytes frame, const std::vector<size_t> &places) {
  return Frame(std::string(frame.c_str(), frame.size()), places);
}

// One ray with a lookup table for its distance.
struct RaySource {
  RaysHandle rays;
  Table table;
};

// Values that are read at the same time, and the packet that carries them.
class Readings {
 public:
  void add_axis(const AxisHandle &axis) { add(axis); }
  void add_track(const TrackHandle &track) { add(track); }

  void add_ray(const RaysHandle &rays, const std::vector<double> &inputs, const std::vector<double> &outputs,
               const std::vector<double> &slopes) {
    require(!inputs.empty(), "number of inputs", "1 or more", 0);
    require(outputs.size() == inputs.size(), "number of outputs", "that of the inputs",
            static_cast<double>(outputs.size()));
    require(slopes.size() + 1 == inputs.size(), "number of slopes", "one less than inputs",
            static_cast<double>(slopes.size()));
    require(rays.get().lengths.size() == 1, "number of rays", "1",
            static_cast<double>(rays.get().lengths.size()));
    add(RaySource{rays, {inputs, outputs, slopes}});
  }

  bool read() {
    for (size_t i = 0; i < sources_.size(); ++i)
      if (!std::visit([&](const auto &source) { return read_one(source, values_[i]); }, sources_[i]))
        return false;
    return true;
  }

  void set_frame(nb::bytes frame, const std::vector<size_t> &places) {
    require_count("number of readings and the head", sources_.size() + 1, places.size());
    frame_ = frame_of(frame, places);
  }

  nb::bytes packet(double head) {
    if (!frame_) throw std::invalid_argument("call set_frame first");
    require_count("number of readings and the head", sources_.size() + 1, frame_->count());
    frame_->set_number(0, head);
    for (size_t i = 0; i < values_.size(); ++i) frame_->set_number(i + 1, values_[i]);
    return nb::bytes(frame_->bytes().data(), frame_->bytes().size());
  }

  const std::vector<double> &values() const { return values_; }

 private:
  using Source = std::variant<AxisHandle, TrackHandle, RaySource>;

  void add(Source source) {
    sources_.push_back(std::move(source));
    values_.push_back(0);
  }

  static bool read_one(const AxisHandle &axis, double &value) {
    value = axis.get().position;
    return true;
  }

  static bool read_one(const TrackHandle &track, double &value) {
    value = track.get().position;
    return true;
  }

  // Only rays cast at the end of the last step are up to date.
  static bool read_one(const RaySource &source, double &value) {
    if (!source.rays.valid()) return false;
    const RayResults &results = *source.rays.get().results;
    if (results.cast_at != source.rays.world->steps) return false;
    value = source.table(results.distances[0]);
    return true;
  }

  std::vector<Source> sources_;
  std::vector<double> values_;
  std::optional<Frame> frame_;
};

}  // namespace wb
