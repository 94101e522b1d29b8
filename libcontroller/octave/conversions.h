/* Values of Octave as arguments of the C API, and its results as values of Octave. */
#ifndef CONVERSIONS_H
#define CONVERSIONS_H

#include <octave/oct.h>

#include <set>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

/* The references of a type that the library has returned: others would be pointers to anything. */
template <class T>
std::set<T> &known_references() {
  static std::set<T> known;
  return known;
}

/* An argument of a C function, kept as long as the call. */
template <class T, class Enable = void>
struct Argument { /* a reference to a node, field, image or motion; [] and 0 are none */
  T value;
  explicit Argument(const octave_value &given)
      : value(given.isempty() ? nullptr : reinterpret_cast<T>(given.uint64_value())) {
    if (value && !known_references<T>().count(value))
      error("an argument is no reference of the expected type");
  }
  T get() const { return value; }
};

template <class T>
struct Argument<T, std::enable_if_t<std::is_arithmetic<T>::value || std::is_enum<T>::value>> {
  T value;
  explicit Argument(const octave_value &given) : value(static_cast<T>(given.double_value())) {}
  T get() const { return value; }
};

template <>
struct Argument<const char *> { /* a text; [] is none */
  std::string value;
  bool is_there;
  explicit Argument(const octave_value &given) : is_there(given.is_string() || !given.isempty()) {
    /* Octave itself would take the numbers of other values for codes of characters. */
    if (is_there && !given.is_string()) error("an argument is no text");
    if (is_there) value = given.string_value();
  }
  const char *get() const { return is_there ? value.c_str() : nullptr; }
};

template <>
struct Argument<const double *> {
  std::vector<double> value;
  explicit Argument(const octave_value &given) {
    const NDArray all = given.array_value();
    value.assign(all.data(), all.data() + all.numel());
    value.resize(std::max<std::size_t>(value.size(), 6)); /* the longest that a function reads */
  }
  const double *get() const { return value.data(); }
};

/* A row of numbers, or [] for a null pointer. */
template <class T>
octave_value row(const T *values, int count) {
  if (!values) return Matrix();
  RowVector made(count);
  for (int i = 0; i < count; ++i) made(i) = values[i];
  return made;
}

inline octave_value result(bool value) { return value; }
inline octave_value result(const char *value) { return std::string(value ? value : ""); }

template <class T>
std::enable_if_t<std::is_arithmetic<T>::value || std::is_enum<T>::value, octave_value> result(T value) {
  return static_cast<double>(value);
}

template <class T>
std::enable_if_t<!std::is_arithmetic<T>::value, octave_value> result(T *reference) {
  known_references<T *>().insert(reference);
  return octave_uint64(reinterpret_cast<std::uintptr_t>(reference));
}

/* Call a function of the C API. */
template <class R, class... A, std::size_t... I>
auto call(R (*function)(A...), const octave_value_list &given, std::index_sequence<I...>) {
  [[maybe_unused]] const std::tuple<Argument<A>...> arguments(Argument<A>(given(I))...);
  return function(std::get<I>(arguments).get()...);
}

/* As many arguments as the function has; `optional` of them may be missing, and are then 0. */
inline void check(const char *name, const octave_value_list &given, int count, int optional) {
  const int number = given.length();
  if (count - optional <= number && number <= count) return;
  const std::string least = optional ? std::to_string(count - optional) + " to " : "";
  error("%s: %d arguments given; it takes %s%d", name, number, least.c_str(), count);
}

template <class R, class... A>
octave_value call_function(const char *name, R (*function)(A...), octave_value_list given, int optional = 0) {
  const int count = static_cast<int>(sizeof...(A));
  check(name, given, count, optional);
  for (int i = given.length(); i < count; ++i) given(i) = octave_value(0.0);
  if constexpr (std::is_void<R>::value) {
    call(function, given, std::index_sequence_for<A...>());
    return octave_value();
  } else
    return result(call(function, given, std::index_sequence_for<A...>()));
}

template <class R, class... A>
octave_value call_vector(const char *name, const R *(*function)(A...), const octave_value_list &given,
                         int count) {
  check(name, given, static_cast<int>(sizeof...(A)), 0);
  return row(call(function, given, std::index_sequence_for<A...>()), count);
}

#endif
