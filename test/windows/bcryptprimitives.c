// The one function of this library that the keychain library asks for, which older wines lack.
#include <windows.h>
BOOLEAN NTAPI SystemFunction036(PVOID, ULONG);
__declspec(dllexport) BOOL WINAPI ProcessPrng(PBYTE bytes, SIZE_T left) {
  while (left > 0) {
    ULONG part = left > 65536 ? 65536 : (ULONG)left;
    if (!SystemFunction036(bytes, part)) return FALSE;
    bytes += part;
    left -= part;
  }
  return TRUE;
}
