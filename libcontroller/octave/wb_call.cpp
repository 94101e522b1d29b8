/* The function wb_call of Octave: calls a function of the C API by its name. */
#include <octave/oct.h>

#include <map>

#include "conversions.h"
#include "special.h"

/* What generated.h includes and lists. */
#define HEADERS
#include "generated.h"
#undef HEADERS

typedef octave_value (*Caller)(const char *name, const octave_value_list &given);

#define FUNCTION(function) \
  {#function, [](const char *name, const octave_value_list &a) { return call_function(name, function, a); }},
#define OPTIONAL(function, count) \
  {#function,                     \
   [](const char *name, const octave_value_list &a) { return call_function(name, function, a, count); }},
#define VECTOR(function, count) \
  {#function,                   \
   [](const char *name, const octave_value_list &a) { return call_vector(name, function, a, count); }},
#define TABLE(function, size)                                                                                \
  {#function, [](const char *name, const octave_value_list &a) {                                             \
     check(name, a, 1, 0);                                                                                   \
     const WbDeviceTag tag = static_cast<WbDeviceTag>(a(0).int_value());                                     \
     return octave_value(row(function(tag), 3 * size(tag)).array_value().reshape(dim_vector(3, size(tag)))); \
   }},
#define SPECIAL(function, maker) {#function, maker},

static const std::map<std::string, Caller> callers = {
#include "generated.h"
};

DEFUN_DLD(wb_call, args, , "wb_call (NAME, ...): call a function of Webots' API in C by its name.") {
  if (args.length() < 1) error("wb_call: the name of a function is missing");
  const std::string name = args(0).string_value();
  const auto found = callers.find(name);
  if (found == callers.end()) error("%s is no function of the API", name.c_str());
  octave_value made;
  try {
    made = found->second(name.c_str(), args.slice(1, args.length() - 1));
  } catch (const octave::execution_exception &problem) {
    /* Octave does not say which function got an argument that it cannot convert. */
    const std::string text = problem.message();
    if (text.rfind(name, 0) == 0) throw;
    error("%s: %s", name.c_str(), text.c_str());
  }
  return made.is_defined() ? made : octave_value(Matrix());
}
