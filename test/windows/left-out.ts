import { beforeEach } from 'vitest'

/** Why a test says nothing about Windows. */
const MODES = 'Windows has no modes such as 0600'
const LINKS = 'makes symbolic links, for which Windows wants a right, and Wine cannot'
const POSIX = 'needs a program that only POSIX systems have: sh, env, ps, mkfifo'
const NAMES = 'makes names that Windows forbids'
const SYNCS = 'counts syncs of folders, and Windows cannot sync a folder'
const SLASH = 'compares paths as POSIX systems write them'
const GIT_SH =
  'needs hooks, filters or transports of git, which are shell scripts; the git.exe here has no shell'
const WINE = 'Wine is not Windows here'

/** Tests that are left out, by their file and the beginning of their title or of a group of them. */
const TESTS_LEFT_OUT: [file: string, title: RegExp, why: string][] = [
  ['test/conversation/own-transcript.test.ts', /a link among the transcripts/, LINKS],
  ['test/io/atomic-write.test.ts', /permissions stay|disk-full|may not be written|failed write/, MODES],
  ['test/io/atomic-write.test.ts', /survives a power cut/, SYNCS],
  ['test/io/atomic-write.test.ts', /a symlink is followed/, LINKS],
  ['test/io/atomic-write.test.ts', /anything but a regular file/, POSIX],
  ['test/io/ensure-folder.test.ts', /with the mode/, MODES],
  ['test/io/ensure-folder.test.ts', /symlink/, LINKS],
  ['test/io/open-file.test.ts', /the desktop’s own program|each system/, POSIX],
  ['test/io/outside.test.ts', /a relative folder for state/, SLASH],
  ['test/io/program.test.ts', /is found only in absolute folders/, SLASH],
  ['test/session/title.test.ts', /millions of words/, POSIX],
  ['test/store/layout.test.ts', /the tree of a conversation/, SLASH],
  ['test/store/machine/binding.test.ts', /only by this user/, MODES],
  ['test/store/machine/for-this-user.test.ts', /E-20/, MODES],
  ['test/store/machine/journal/journal.test.ts', /only this user/, MODES],
  ['test/store/machine/journal/journal.test.ts', /is on the disk/, SYNCS],
  ['test/store/machine/journal/journal.test.ts', /a named pipe/, POSIX],
  ['test/store/machine/journal/journal.test.ts', /a symlink/, LINKS],
  ['test/store/machine/journal/side-files.test.ts', /symlinks/, LINKS],
  ['test/store/machine/log.test.ts', /only this user/, MODES],
  ['test/store/machine/open-session.test.ts', /so that only this user/, MODES],
  ['test/store/machine/open-session.test.ts', /nearest of its ancestors|that ps names/, POSIX],
  ['test/store/record/append-lines.test.ts', /a full disk/, POSIX],
  ['test/store/record/append-lines.test.ts', /are on the disk/, SYNCS],
  ['test/store/record/append-lines.test.ts', /a symlink/, LINKS],
  ['test/store/record/append-lines.test.ts', /even without the lock/, WINE],
  ['test/store/record/matching-lines.test.ts', /a symlink/, LINKS],
  ['test/store/record/messages.test.ts', /a symlink/, LINKS],
  ['test/store/record/session-file.test.ts', /through a symlink/, LINKS],
  ['test/store/record/summaries.test.ts', /a file that is not a summary|a symlink/, LINKS],
  ['test/store/scan.test.ts', /sorted by path|its backup is removed/, SLASH],
  ['test/store/scan.test.ts', /is a cache/, MODES],
  ['test/text/paste.test.ts', /one word of a shell/, POSIX],
  ['test/text/paste.test.ts', /every command to copy/, SLASH],
  ['test/workspace/git/blame.test.ts', /whatever characters/, NAMES],
  ['test/workspace/git/commit.test.ts', /a link in the place/, LINKS],
  ['test/workspace/git/commit.test.ts', /names that mean something to git/, NAMES],
  ['test/workspace/git/commit.test.ts', /hook|injected git configuration/, GIT_SH],
  ['test/workspace/git/commit.test.ts', /at the same moment/, WINE],
  ['test/workspace/git/own-settings.test.ts', /git that we start runs nothing/, GIT_SH],
  ['test/workspace/git/own-settings.test.ts', /every call of git/, SLASH],
  ['test/workspace/pack/manifest.test.ts', /with a link in the place/, LINKS],
  ['test/workspace/pack/manifest.test.ts', /a person's own file|uninstall removes/, SLASH],
  ['test/workspace/repository.test.ts', /a submodule/, GIT_SH],
  ['test/workspace/repository.test.ts', /a line break/, NAMES],
  ['test/workspace/visibility.test.ts', /in the folder/, NAMES],
]

beforeEach(({ task, skip }) => {
  const file = task.file.name.replaceAll('\\', '/')
  const names = fullName(task)
  const [, , why] = TESTS_LEFT_OUT.find(([path, title]) => path === file && title.test(names)) ?? []
  skip(why !== undefined, why)
})

function fullName(task: { name: string; suite?: { name: string } | undefined }): string {
  return task.suite?.name ? `${task.suite.name} > ${task.name}` : task.name
}
