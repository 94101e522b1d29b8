// Texts between UTF-8, which Python passes on, and the UTF-16 of Windows. Not by std::codecvt, see
// current_folder.
#pragma once

#include <windows.h>

#include <string>

namespace wb {

inline std::wstring wide(const std::string &text) {
  const int size = static_cast<int>(text.size());
  std::wstring result(static_cast<size_t>(MultiByteToWideChar(CP_UTF8, 0, text.data(), size, nullptr, 0)),
                      L'\0');
  MultiByteToWideChar(CP_UTF8, 0, text.data(), size, result.data(), static_cast<int>(result.size()));
  return result;
}

inline std::string narrow(const std::wstring &text) {
  const int size = static_cast<int>(text.size());
  const int bytes = WideCharToMultiByte(CP_UTF8, 0, text.data(), size, nullptr, 0, nullptr, nullptr);
  std::string result(static_cast<size_t>(bytes), '\0');
  WideCharToMultiByte(CP_UTF8, 0, text.data(), size, result.data(), bytes, nullptr, nullptr);
  return result;
}

}  // namespace wb
