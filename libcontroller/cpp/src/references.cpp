/* Nodes, fields and PROTOs: one object per reference of the C API, kept until the robot is deleted. */
#include <map>
#include <webots/Field.hpp>
#include <webots/Node.hpp>
#include <webots/Proto.hpp>

#include "text.hpp"

namespace webots {

namespace {
std::map<WbNodeRef, Node *> nodes;
std::map<WbFieldRef, Field *> fields;
std::map<WbProtoRef, Proto *> protos;
}  // namespace

Node *Node::findNode(WbNodeRef ref) {
  if (ref == nullptr) return nullptr;
  Node *&found = nodes[ref];
  if (found == nullptr) found = new Node(ref);
  return found;
}

Field *Field::findField(WbFieldRef ref) {
  if (ref == nullptr) return nullptr;
  Field *&found = fields[ref];
  if (found == nullptr) found = new Field(ref);
  return found;
}

Proto *Proto::findProto(WbProtoRef ref) {
  if (ref == nullptr) return nullptr;
  Proto *&found = protos[ref];
  if (found == nullptr) found = new Proto(ref);
  return found;
}

void Node::cleanup() {
  for (const auto &one : nodes) delete one.second;
  nodes.clear();
}

void Field::cleanup() {
  for (const auto &one : fields) delete one.second;
  fields.clear();
}

void Proto::cleanup() {
  for (const auto &one : protos) delete one.second;
  protos.clear();
}

WbNodeRef refOf(const Node *node) { return node == nullptr ? nullptr : node->wb_member_ref; }

WbFieldRef refOf(const Field *field) { return field == nullptr ? nullptr : field->wb_member_ref; }

WbProtoRef refOf(const Proto *proto) { return proto == nullptr ? nullptr : proto->wb_member_ref; }

}  // namespace webots
