import { CortextError, withDefault } from '../../../errors.ts'
import type { Environment } from '../../../io/environment.ts'
import { ownKey } from '../../../journeys/syncing/choosing/readers.ts'
import { paste } from '../../../text/paste.ts'
import { KEY_FOLDER, keyFile } from '../../../workspace/keys.ts'
import { openWorkspace } from '../../../workspace/open.ts'
import { askSecret } from '../../ask.ts'
import { note, sayJson, sayWrapped } from '../../print.ts'

/** `sync --key`: makes a key where nothing sealed is known, and says how another machine gets it. It prints no secret. */
export async function sayKey(environment: Environment, json?: boolean): Promise<void> {
  const ws = withDefault(undefined, () => openWorkspace(environment))
  const { file, reader, isNew } = await ownKey(environment, ws)
  if (json) return sayJson({ file, reader, new: isNew })
  sayWrapped(
    isNew
      ? [
          `There was no key on this machine: a new one was made, in ${file}. It opens nothing that was sealed before.`,
        ]
      : [`The key is in ${file}.`],
    'Whoever has this file can open all that is sealed for it; without it nobody can, you neither. Keep a copy in a safe place.',
    '',
    'Another machine of yours gets it in one of three ways:',
    `  copy it to ${KEY_FOLDER}/key.txt there, by a way that you trust; by ssh:`,
    `    ssh <machine> mkdir -p -m 700 ${KEY_FOLDER.slice(2)}`,
    paste`    scp ${file} <machine>:${KEY_FOLDER.slice(2)}/`,
    '    If a key is there already: add the lines of this one to it instead.',
    '  cortext sync --passphrase   here, in each project; it opens the place there',
    '  cortext sync --key          there; here: cortext sync --reader <public key>',
    '',
    `Public key: ${reader}`,
    'To open what another machine has sealed, let this key in there:',
    '  cortext sync --reader <this public key>',
    'Somebody else who is to open the conversations of a project with a key of their own gives you their public key.',
  )
}

export function sealedWords(environment: Environment, isNew: boolean): string[] {
  return [
    'All that leaves this machine is sealed: the place shows no name, title or word of it.',
    ...(isNew
      ? [
          `Only the key in ${keyFile(environment)} opens it. Without it nobody can, you neither: cortext sync --key says how to keep it.`,
        ]
      : []),
  ]
}

/** What was done for those who can open the place. */
export function sealingWords(
  { passphrase, reader, removeReader }: { passphrase?: boolean; reader?: string; removeReader?: string },
  address: string,
): string[] {
  return [
    ...(passphrase
      ? [
          'The key is at the place now, sealed with the passphrase. On another machine, this asks for it:',
          paste`  cortext sync --to ${address}`,
        ]
      : []),
    ...(reader === undefined ? [] : [`${reader} can open this project at the place from now on.`]),
    ...(removeReader === undefined
      ? []
      : [
          `${removeReader} can no longer open this project at the place: all of it was sealed anew. Whoever has the key may have kept a copy.`,
        ]),
  ]
}

/** The passphrase of the place, from `CORTEXT_PASSPHRASE` or a person. Undefined where nobody can be asked. */
export async function givenPassphrase({ env, interactive }: Environment): Promise<string | undefined> {
  const given = env.CORTEXT_PASSPHRASE
  if (given) return given
  return interactive ? askSecret('The passphrase of this place') : undefined
}

/** Throws `usage` if nobody can be asked, and for one in `CORTEXT_PASSPHRASE` that is too short. */
export async function newPassphrase({ env, interactive }: Environment): Promise<string> {
  const given = env.CORTEXT_PASSPHRASE
  if (!given && !interactive)
    throw new CortextError('usage', 'nobody can be asked for a passphrase here', {
      fix: 'run it in a terminal, or set CORTEXT_PASSPHRASE',
    })
  if (given && isTooShort(given)) throw new CortextError('usage', TOO_SHORT)
  return given || askTwice()
}

async function askTwice(): Promise<string> {
  for (;;) {
    const passphrase = await askSecret(`A passphrase of ${SHORTEST} characters or more, such as five words`)
    if (isTooShort(passphrase)) note(`${TOO_SHORT}.`)
    else if ((await askSecret('The same again')) === passphrase) return passphrase
    else note('These are two different passphrases.')
  }
}

/** Whoever can read the place may try as many as they like. */
function isTooShort(passphrase: string): boolean {
  return passphrase.length < SHORTEST
}

const SHORTEST = 16
const TOO_SHORT = `a passphrase needs ${SHORTEST} characters or more, such as five words`
