import type { ClientId } from '../../../src/clients/index.ts'
import { claude } from './claude.ts'
import { codex } from './codex.ts'
import { copilot } from './copilot.ts'
import type { Machine } from './driver.ts'
import { gemini } from './gemini.ts'
import { opencode } from './opencode.ts'
import { pi } from './pi.ts'
import { qwen } from './qwen.ts'

/** Every client of src/clients/index.ts: when one is added there, the compiler asks for a line here. */
export const machines: Record<ClientId, Machine> = { claude, codex, copilot, gemini, opencode, pi, qwen }
