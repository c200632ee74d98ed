import { paste } from '../../../text/paste.ts'

export interface SyncOptions {
  to?: string
  branch?: string
  personal?: boolean
  auto?: boolean
  dryRun?: boolean
  seal?: boolean
  passphrase?: boolean
  key?: boolean
  reader?: string
  removeReader?: string
  stop?: boolean
  /** Nobody waits for it, and nobody reads what it prints. */
  background?: boolean
  json?: boolean
}

/** The command that names a place, with the options that a person has typed. */
export function commandFor(
  address: string,
  { branch, personal, auto, seal }: Typed & { branch?: string | undefined; seal?: boolean | undefined },
): string {
  return (
    [
      paste`cortext sync --to ${address}`,
      ...(seal === undefined ? [] : [seal ? '--seal' : '--no-seal']),
      ...(branch === undefined ? [] : [paste`--branch ${branch}`]),
    ].join(' ') + typedIn({ personal, auto })
  )
}

interface Typed {
  personal?: boolean | undefined
  auto?: boolean | undefined
}

/** These options as they are typed at the end of a command. */
export function typedIn({ personal, auto }: Typed): string {
  return `${personal ? ' --personal' : ''}${auto === undefined ? '' : auto ? ' --auto' : ' --no-auto'}`
}
