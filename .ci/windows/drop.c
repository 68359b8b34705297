/* Drops files onto the window of the lab, as a file manager does: drop.exe PATH... */
#include <windows.h>
#include <shlobj.h>
#include <stdio.h>

int wmain(int count, wchar_t **paths) {
    static struct {
        DROPFILES header;
        wchar_t paths[4096];
    } files = {.header = {.pFiles = sizeof(DROPFILES), .fWide = TRUE}};
    wchar_t *end = files.paths;
    for (int i = 1; i < count; i++) {
        end += swprintf(end, files.paths + 4095 - end, L"%ls", paths[i]) + 1;
    }

    HWND window = FindWindowW(L"MINIQUADAPP", NULL);
    if (!window) {
        fputs("the lab has no window\n", stderr);
        return 1;
    }
    DWORD id;
    GetWindowThreadProcessId(window, &id);
    /* Wine does not copy the paths to the other process, so write them there. */
    HANDLE process = OpenProcess(PROCESS_ALL_ACCESS, FALSE, id);
    void *copy = VirtualAllocEx(process, NULL, sizeof files, MEM_COMMIT | MEM_RESERVE, PAGE_READWRITE);
    if (!copy || !WriteProcessMemory(process, copy, &files, sizeof files, NULL)) {
        fputs("cannot write the paths to the lab's memory\n", stderr);
        return 1;
    }
    return !PostMessageW(window, WM_DROPFILES, (WPARAM)copy, 0);
}
