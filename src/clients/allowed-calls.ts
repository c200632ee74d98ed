/**
 * The `cortext` calls that an agent may make without the person being asked: nothing that deletes, imports, edits or
 * uninstalls. The plugin of OpenCode (templates/opencode/cortext.js) has the same list.
 *
 * @param stops the forms of `stop`, where a client's rules can tell them apart.
 */
export function allowedCalls(stops: readonly string[] = ['stop']): string[] {
  return [
    ...['start', 'save', ...stops, 'list', 'show', 'search', 'context'],
    ...['resume --here', 'resume --print', 'resume --list'],
  ].map((words) => `cortext ${words}`)
}
