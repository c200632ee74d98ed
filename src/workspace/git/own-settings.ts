/**
 * The arguments of every git that cortext starts: settings of ours stand before the command. A work tree may hold a
 * repository of its own making, and a repository may have come as an archive, so what its configuration names is not
 * run: no program that watches files, no hook, no other repository than the one above in a `.git`, no pager, no fetch
 * of what a partial clone lacks, no check of signatures for a log. What a filter or a signature needs is the person's own setting, and stays.
 *
 * A commit runs the person's hooks. These inherit what is set here, so a commit is given only what no hook can miss.
 */
export function withOwnSettings(args: readonly string[]): string[] {
  const command = commandIn(args)
  const settings = [
    ...ALWAYS,
    ...(command === 'commit' ? [] : ['protocol.allow=never', 'log.showSignature=false']),
    // `rev-parse` runs none, and tells where they lie.
    ...(command === 'commit' || command === 'rev-parse' ? [] : ['core.hooksPath=/dev/null']),
  ]
  return ['--no-pager', ...settings.flatMap((setting) => ['-c', setting]), ...args]
}

const ALWAYS = ['core.fsmonitor=false', 'safe.bareRepository=explicit']

/** The first word that is no setting. */
export function commandIn(args: readonly string[]): string | undefined {
  let at = 0
  while (args[at] === '-c') at += 2
  return args[at]
}
