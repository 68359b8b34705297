/* The only function that Rust's standard library needs of bcryptprimitives.dll, which Wine 8 lacks: fills a buffer with
   random bytes. */
#include <windows.h>

BOOLEAN NTAPI SystemFunction036(PVOID, ULONG);

__declspec(dllexport) BOOL WINAPI ProcessPrng(PBYTE buffer, SIZE_T length) {
    return SystemFunction036(buffer, length);
}
