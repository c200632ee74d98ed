/**
 * The first words of the `cortext` calls that an agent may make without asking the person. No call that deletes,
 * imports, edits or uninstalls is among them; `stop` is allowed only in forms that the program refuses together with
 * `--discard`. The plugin that OpenCode loads contains this file, so it imports nothing.
 */
export const ALLOWED_CALLS: readonly string[] = [
  ...['start', 'save', 'list', 'show', 'search', 'context'],
  ...['stop --summary-stdin', 'stop --complete', 'stop --no-commit'],
  ...['resume --here', 'resume --print', 'resume --list'],
].map((words) => `cortext ${words}`)
