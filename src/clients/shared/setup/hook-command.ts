/** Steps of a hook's shell command besides `cortext hook <client>`. */
export interface HookShell {
  /**
   * The failures that the hook reports to the person in one line: cortext is missing, or does not work. A hook with
   * `skipWhenUnknown` runs for everybody who shares the settings. So it reports a missing cortext only in a project in
   * which this machine has recorded something.
   */
  reports?: readonly ('missing' | 'failing')[]
  /**
   * For a hook that runs often: reports a failure only once to each client process. `folder` names the variable with
   * the project's folder, where a note says that the report was made.
   */
  reportsOnce?: { folder: string }
  /**
   * For a hook that has nothing to do in a session that belongs to no conversation. The shell itself ends the hook in
   * such a session. Starting cortext there would only delay the client.
   */
  skipWhenUnknown?: UnknownSession
}

/**
 * How a shell can find out, without starting cortext, that a session belongs to no conversation. When in doubt, the
 * shell starts cortext.
 */
export interface UnknownSession {
  /** The name of the variable that contains the project folder. */
  folder: string
  /** The name of the variable that contains the session's id; '' with `payload`. */
  id: string
  /** True: the shell notes which session the client's process has open, as src/store/machine/open-session.ts does. */
  notesOpenSession?: boolean
  /**
   * For a client that names the session to its hooks only in the payload on stdin. `id` is the key of the session's id
   * in that payload. Our commands begin with `ourPrefix`, so the shell leaves a payload that contains it to cortext.
   */
  payload?: { id: string; ourPrefix: string }
}

/**
 * Makes a hook command that is harmless even if `cortext` on this machine is missing, broken or of another version. It
 * always exits 0 (2 would block a prompt in Claude Code and Gemini CLI). It prints only our answers, and the failures
 * that `reports` names: a client would show any other text or treat it as context. It gives cortext the number of the
 * client's process. For sh, dash and bash.
 */
export function hookCommand(
  client: string,
  { reports = [], reportsOnce, skipWhenUnknown }: HookShell = {},
): string {
  const answers = ANSWERS.map((key) => `'{"${key}":'*'}'`).join('|')
  const payload = skipWhenUnknown?.payload
  const given = payload === undefined ? '' : `printf %s "$i" | `
  return [
    // When a signal ends cortext, the shell itself writes to stderr, and Gemini CLI shows that.
    'exec 2>/dev/null',
    ...(payload === undefined ? [] : ['i=$(cat)']),
    `command -v cortext >/dev/null || ${reports.includes('missing') ? reportStep(NOT_FOUND, { session: skipWhenUnknown }) : 'exit 0'}`,
    ...(skipWhenUnknown === undefined ? [] : skipSteps(client, skipWhenUnknown)),
    `said=$(${given}CORTEXT_CLIENT_PID=$PPID cortext hook ${client}) || ${reports.includes('failing') ? reportStep(NOT_WORKING, { once: reportsOnce }) : 'exit 0'}`,
    `case $said in ${answers}) printf '%s\\n' "$said";; esac`,
    'exit 0',
  ].join('; ')
}

/** The first keys of the answers that `contextFor` and `messageFor` make (contract/hooks.ts). */
const ANSWERS = ['systemMessage', 'hookSpecificOutput']

/** Both messages are written in single quotes in the shell, so they contain no apostrophe. */
const NOT_FOUND =
  'cortext was not found, so this conversation is not being recorded. Install it with: npm install -g cortext'
const NOT_WORKING =
  'cortext does not work here, so this conversation is not being recorded. Update it with npm install -g cortext, or see: cortext doctor'

function reportStep(
  message: string,
  { once, session }: { once?: { folder: string } | undefined; session?: UnknownSession | undefined },
): string {
  const print = `printf '%s\\n' '${JSON.stringify({ systemMessage: message })}'`
  // A teammate without cortext has neither `.git/cortext` nor `.workspace/local`, because no clone contains them.
  if (session !== undefined) {
    // A person who types one of our commands gets the report even without these folders.
    const typed =
      session.payload === undefined ? '' : `[ "\${i#*\\${session.payload.ourPrefix}}" = "$i" ] && `
    return `{ p=$${session.folder}; ${typed}[ ! -d "$p/.git/cortext" ] && [ ! -d "$p/.workspace/local" ] || ${print}; exit 0; }`
  }
  if (once === undefined) return `{ ${print}; exit 0; }`
  const steps = [
    `g=$${once.folder}/.git h=$g/cortext/open-sessions`,
    // In an unpacked archive these paths may be links. The hook then writes no note, and the person gets the report
    // each time.
    `[ -d "$g" ] && [ ! -h "$g/cortext" ] && [ ! -h "$h" ] && [ ! -h "$h/$PPID.json" ] && (umask 077; mkdir -p "$h") || h=/dev/null`,
    // A space at the end of the note means that the report was made; the note stays valid JSON. A cortext that works
    // writes the note again without the space.
    `case $(cat "$h/$PPID.json") in *' ') ;; *) ${print}; printf ' ' >>"$h/$PPID.json";; esac`,
  ]
  return `{ ${steps.join('; ')}; exit 0; }`
}

/**
 * Ends the hook if the session has no binding and began neither by a `/clear` nor by our launch. It does so only in the
 * usual layout: `.workspace` and `.git` are folders in the client's project folder, and `.git` is a repository of this
 * user (src/workspace/repository.ts). The paths are those of src/workspace/local-folder.ts and src/store/layout.ts.
 */
function skipSteps(client: string, { folder, id, notesOpenSession, payload }: UnknownSession): string[] {
  const local = '"$p/.git/cortext'
  const conditions = [
    ...(payload === undefined ? [] : [`[ "\${i#*\\${payload.ourPrefix}}" = "$i" ]`]),
    // The file name of a binding encodes other characters of an id, so the shell does not look for such a file.
    `[ -n "\${s##*[!A-Za-z0-9-]*}" ]`,
    '[ -d "$p/.git" ] && [ ! -h "$p/.git" ] && [ -O "$p/.git" ] && [ -O "$p" ]',
    '[ -f "$p/.git/HEAD" ] && [ -d "$p/.git/objects" ] && [ -d "$p/.git/refs" ] && [ ! -e "$p/.git/commondir" ]',
    `[ ! -h ${local}" ]`,
    // `.workspace/local` may contain what was recorded before the repository was made.
    '[ -d "$p/.workspace" ] && [ ! -h "$p/.workspace" ] && [ ! -e "$p/.workspace/local" ]',
    `[ ! -e ${local}/bindings/${client}-$s.json" ]`,
    `[ ! -e ${local}/cleared-${client}-$PPID.json" ]`,
    '[ -z "$CORTEXT_LAUNCH" ]',
    ...(notesOpenSession === true ? [noteStep(client, local)] : []),
  ]
  const named =
    payload === undefined
      ? [`p=$${folder} s=$${id}`]
      : // Inside a JSON string this pattern cannot match: the quotes there have backslashes before them.
        [`p=$${folder} s=\${i#*'"${payload.id}":"'}`, `s=\${s%%'"'*}`]
  return [...named, `${conditions.join(' && ')} && exit 0`]
}

/**
 * Writes the note about the open session. The note contains the start time of the client's process (field 22 of
 * proc(5); '' without /proc), because another process may later get the same process id.
 */
function noteStep(client: string, local: string): string {
  const note = `{"client":"${client}","native_id":"%s","start":"%s"}`
  return [
    `[ -d ${local}/open-sessions" ] && [ ! -h ${local}/open-sessions" ] && [ ! -h ${local}/open-sessions/$PPID.json" ]`,
    '{ b= && read -r b </proc/$PPID/stat; set -f; set -- ${b##*) }; :; }',
    `printf '${note}' "$s" "\${20}" >${local}/open-sessions/$PPID.json"`,
  ].join(' && ')
}
