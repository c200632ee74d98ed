export const SESSION = 'ses_a'

/** An OpenCode in which these messages were said; `toasts` are what its person sees. */
export function fakeOpenCode(home: string, info: object = {}) {
  const messages: { info: { id: string }; parts: object[] }[] = []
  const toasts: string[] = []
  const client = {
    session: {
      get: async () => ({ data: { id: SESSION, title: 'T', directory: home, version: '1', ...info } }),
      messages: async () => ({ data: structuredClone(messages) }),
    },
    tui: { showToast: async ({ body }: { body: { message: string } }) => void toasts.push(body.message) },
  }
  const say = (id: string, role: string, text: string) =>
    messages.push({
      info: { id, sessionID: SESSION, role, time: { created: 1 } } as { id: string },
      parts: [{ id: `prt_${id}`, type: 'text', text }],
    })
  return { client, messages, toasts, say }
}
