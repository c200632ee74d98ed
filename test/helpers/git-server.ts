import { execFileSync, spawn } from 'node:child_process'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'

export interface GitServer {
  /** Without a name and a password. */
  address: string
  close: () => void
}

/** Serves one bare repository by http on loopback, to who gives this name and password. */
export async function serveGit(folder: string, credentials: string): Promise<GitServer> {
  const backend = join(execFileSync('git', ['--exec-path'], { encoding: 'utf8' }).trim(), 'git-http-backend')
  const wanted = `Basic ${Buffer.from(credentials).toString('base64')}`
  const server = createServer((request, response) => {
    if (request.headers.authorization === wanted) return answer(backend, folder, request, response)
    response.writeHead(401, { 'WWW-Authenticate': 'Basic realm="git"' }).end()
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  return { address: `http://127.0.0.1:${portOf(server)}/conversations.git`, close: () => server.close() }
}

function portOf(server: Server): number {
  return (server.address() as AddressInfo).port
}

/** Runs git's own server as a CGI program; see git-http-backend(1). */
function answer(backend: string, folder: string, request: IncomingMessage, response: ServerResponse): void {
  const { pathname, search } = new URL(request.url!, 'http://x')
  const child = spawn(backend, {
    env: {
      PATH: process.env.PATH,
      GIT_PROJECT_ROOT: folder,
      GIT_HTTP_EXPORT_ALL: '1',
      REMOTE_USER: 'me',
      REQUEST_METHOD: request.method,
      PATH_INFO: pathname.replace('/conversations.git', ''),
      QUERY_STRING: search.slice(1),
      CONTENT_TYPE: request.headers['content-type'],
      HTTP_CONTENT_ENCODING: request.headers['content-encoding'],
      GIT_PROTOCOL: request.headers['git-protocol'] as string | undefined,
    },
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  request.pipe(child.stdin)
  const chunks: Buffer[] = []
  child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk))
  child.on('close', () => {
    const all = Buffer.concat(chunks)
    const end = all.indexOf('\r\n\r\n')
    const heads = all
      .toString('latin1', 0, end)
      .split('\r\n')
      .map((line) => line.split(': ') as [string, string])
    const status = Number.parseInt(new Map(heads).get('Status') ?? '200', 10)
    response.writeHead(status, Object.fromEntries(heads.filter(([name]) => name !== 'Status')))
    response.end(all.subarray(end + 4))
  })
}
