/* What the classes share: texts and references as the C API has them. */
#ifndef TEXT_HPP
#define TEXT_HPP

#include <webots/types.h>

#include <string>
#include <webots/ImageRef.hpp>

namespace webots {

class Field;
class Node;
class Proto;

/* A text of the C API; where it has none, an empty one. */
inline std::string text(const char *content) {
  return content == nullptr ? std::string() : std::string(content);
}

/* The tag of a device; 0: none. */
template <typename Kind>
WbDeviceTag tagOf(const Kind *device) {
  return device == nullptr ? 0 : static_cast<WbDeviceTag>(device->getTag());
}

/* What an object stands for; null: nothing. */
WbNodeRef refOf(const Node *node);
WbFieldRef refOf(const Field *field);
WbProtoRef refOf(const Proto *proto);

inline WbImageRef refOf(ImageRef *image) { return image == nullptr ? nullptr : image->getImageRef(); }

inline ImageRef *imageOf(WbImageRef image) { return image == nullptr ? nullptr : new ImageRef(image); }

}  // namespace webots

#endif
