/* Conversion of strings and references between the classes and the C API. */
#ifndef TEXT_HPP
#define TEXT_HPP

#include <webots/types.h>

#include <string>
#include <webots/ImageRef.hpp>

namespace webots {

class Field;
class Node;
class Proto;

/* Convert a string of the C API; NULL becomes an empty string. */
inline std::string text(const char *content) {
  return content == nullptr ? std::string() : std::string(content);
}

/* The tag of a device, or 0. */
template <typename Kind>
WbDeviceTag tagOf(const Kind *device) {
  return device == nullptr ? 0 : static_cast<WbDeviceTag>(device->getTag());
}

/* The C reference of an object, or null. */
WbNodeRef refOf(const Node *node);
WbFieldRef refOf(const Field *field);
WbProtoRef refOf(const Proto *proto);

inline WbImageRef refOf(ImageRef *image) { return image == nullptr ? nullptr : image->getImageRef(); }

inline ImageRef *imageOf(WbImageRef image) { return image == nullptr ? nullptr : new ImageRef(image); }

}  // namespace webots

#endif
