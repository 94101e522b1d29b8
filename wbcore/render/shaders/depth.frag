// Only depths.
#version 430 core
void main() {}
