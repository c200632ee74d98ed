import { existsSync } from 'node:fs'
import { join, relative } from 'node:path'
import { Chance } from './chance.ts'
import { ClaudePlayer } from './claude-player.ts'
import { Documents } from './documents.ts'
import { GeminiPlayer } from './gemini-player.ts'
import { idOf, Law, require } from './law.ts'
import { type Noted, notedOf } from './noted.ts'
import { OpenCodePlayer } from './opencode-player.ts'
import type { Player, TurnFaults } from './player.ts'
import { Talk, type Turn } from './talk.ts'
import { type Fault, openWorld, type World } from './world.ts'

/** A client session in a story, and the conversation that its turns belong to, by this test's account. */
export interface Seat {
  player: Player
  conversation: string | undefined
  /** The first turn that an adoption would take now. */
  free: number
}

/** The actions of one person with several clients, and an account of all turns. */
export class Story {
  readonly world: World
  readonly chance: Chance
  readonly talk = new Talk()
  readonly law: Law
  readonly documents = new Documents()
  readonly seats: Seat[] = []
  readonly conversations: string[] = []
  /** One line for each action. It is printed when a law is broken. */
  readonly diary: string[] = []
  #turns = 0
  /** Conversations that were touched since the last check. */
  readonly touched = new Set<string>()
  /** New paths of moved folders, by old path. */
  readonly #moved = new Map<string, string>()
  /** True while several actions run at the same time. */
  atOnce = false

  static async open(seed: number, options: { git: boolean; isPrivate: boolean }): Promise<Story> {
    return new Story(await openWorld(options), new Chance(seed))
  }

  private constructor(world: World, chance: Chance) {
    this.world = world
    this.law = new Law(world, this.talk)
    this.chance = chance
  }

  note(line: string): void {
    this.diary.push(line)
  }

  async sit(tree = this.world.root): Promise<Seat> {
    const kind = this.chance.of([ClaudePlayer, GeminiPlayer, OpenCodePlayer])
    const player = await new kind(this.world, this.chance, tree).begin()
    const seat = { player, conversation: undefined, free: 0 }
    this.seats.push(seat)
    this.note(`sit ${nameOf(player)} in ${tree}`)
    return seat
  }

  said(): Pick<Turn, 'number' | 'prompt' | 'answer'> {
    const number = ++this.#turns
    const more = this.chance.percent(8) ? ` ${'word for word '.repeat(this.chance.number(9_000))}end` : ''
    const odd = this.chance.of(['', ' – “so” 😀 ü', '\nand a line', ' {"role":"user"}', ' `x` $(y) \\n'])
    return { number, prompt: `Asked t${number}p${odd}`, answer: `Answered t${number}a${odd}${more}` }
  }

  async turn(seat: Seat, faults: TurnFaults = {}): Promise<void> {
    const { player } = seat
    this.#touch(seat)
    const said = this.said()
    const turn = this.#heard(seat, said)
    this.note(`turn ${turn.number} ${nameOf(player)} in ${seat.conversation} ${JSON.stringify(faults)}`)
    const quiet = !this.atOnce && faults.prompt === undefined && this.chance.percent(25)
    if (quiet) await this.world.settled()
    const before = quiet ? this.law.status() : ''
    await player.turn(said, this.#withEdit(seat, turn, faults))
    if (quiet) require(this.law.status() === before, `a turn has changed the work tree: ${this.law.status()}`)
    const ran = faults.end === undefined && faults.unseen !== true && faults.killedBefore !== true
    const copied = ran && this.hasWorkspace(player.cwd)
    if (copied && seat.conversation !== undefined && this.noted(player)?.live === true) {
      this.saw(seat)
      if (this.world.isPrivate) this.documents.finish(player.cwd, seat.conversation)
      if (faults.late === true) turn.seen = false
    }
  }

  /** In a private workspace, the agent often writes into the document. In a shared one, git moves documents around. */
  #withEdit({ player, conversation }: Seat, { number }: Turn, faults: TurnFaults): TurnFaults {
    if (!this.world.isPrivate || conversation === undefined || !this.chance.percent(40)) return faults
    const midway = () => {
      this.documents.edit(player.cwd, conversation, `The agent wrote d${number}.`)
      return faults.midway?.()
    }
    return { ...faults, midway }
  }

  /** Whether hooks find a workspace in a work tree: `git clean -x` removes it, and a new one has none. */
  hasWorkspace(tree: string): boolean {
    return existsSync(join(tree, '.workspace'))
  }

  /** A work tree in which a person would call a verb about this conversation. */
  treeFor(conversation: string): string {
    return this.world.isPrivate ? this.chance.of(this.world.trees()) : this.law.treeOf(conversation)
  }

  /** `/workspace.brainstorm …`, whose hook may fail. */
  async start(seat: Seat, fault?: Fault): Promise<void> {
    const { player } = seat
    this.#touch(seat)
    const number = ++this.#turns
    const title = `Topic t${number}p`
    const said = { number, prompt: `/workspace.brainstorm ${title}`, answer: `Well, t${number}a.` }
    const turn = this.#heard(seat, said)
    const before = seat.conversation
    this.note(`start ${number} ${nameOf(player)}, before in ${before} ${JSON.stringify(fault ?? {})}`)
    await player.start(title, said.answer, fault)
    const now = this.noted(player)
    const begun = now?.live === true && !this.conversations.includes(now.conversation)
    require(begun || fault !== undefined, `the command has opened nothing: ${JSON.stringify(now)}`)
    if (begun) this.conversations.push(now.conversation)
    this.#goesOn(seat, now, fault)
    turn.conversation = seat.conversation
    turn.sure = seat.conversation !== undefined
    this.#touch(seat)
  }

  /** `/workspace.resume …`, whose call may fail. */
  async resume(seat: Seat, conversation: string, fault?: Fault): Promise<void> {
    const { player } = seat
    this.#touch(seat)
    const id = idOf(conversation)
    const bare = !this.hasWorkspace(player.cwd)
    const ran = await this.#control(seat, 'workspace.resume', {
      args: id,
      shell: `cortext agent resume --query "${id}"`,
      fault,
    })
    this.note(`… ${ran.code} ${firstLine(ran)}`)
    this.law.checkTold(ran)
    // Only verbs of a person and hooks make a workspace again.
    require(ran.code === 0 || fault !== undefined || bare, `resume failed: ${ran.stderr}`)
    const now = this.noted(player)
    if (ran.code === 0)
      require(now?.live === true && now.conversation === conversation, 'resumed, and not bound')
    this.#goesOn(seat, now, fault)
    this.#touch(seat)
  }

  /** Whether a stop in this session could save anything. */
  mayStop(seat: Seat): boolean {
    const said = this.talk.of(sessionOf(seat.player))
    return (
      seat.conversation !== undefined || said.some(({ number, control }) => number >= seat.free && !control)
    )
  }

  /** `/workspace.stop-conversation`, whose call may fail. Returns whether it succeeded. */
  async stop(seat: Seat, fault?: Fault): Promise<boolean> {
    const { player, conversation } = seat
    this.#touch(seat)
    const stopped = this.noted(player)?.live !== true
    const document = conversation && this.documents.textIn(player.cwd, conversation)
    const ran = await this.#control(seat, 'workspace.stop-conversation', {
      args: '',
      shell: 'cortext agent stop --summary "so far"',
      fault,
    })
    this.note(`… ${ran.code} ${firstLine(ran)}`)
    this.law.checkTold(ran)
    // It may have been stopped elsewhere at the same moment or earlier; then the transcript may be gone.
    const already = (this.atOnce || stopped) && /is saved already/.test(ran.stderr)
    require(ran.code === 0 || already || fault !== undefined, `stop failed: ${ran.stderr}`)
    const now = this.noted(player)
    if (conversation === undefined) {
      if (now === undefined || this.conversations.includes(now.conversation)) return false
      this.#adopted(seat, now)
      require(ran.code !== 0 || !now.live, `adopted, and bound so: ${JSON.stringify(now)}`)
    } else if (ran.code === 0 || already) {
      require(now?.live !== true, 'stopped, and still bound')
      this.saw(seat)
      // A deleted folder is not saved again.
      const lies = existsSync(this.law.placeOf(conversation, player.cwd))
      if (!this.atOnce && (lies || !already)) this.law.checkFile(conversation, player.cwd, sessionOf(player))
      if (ran.code === 0) this.#published(player.cwd, conversation, document)
    }
    if (now?.goesOn !== true) this.#leave(seat)
    return ran.code === 0
  }

  /** The person leaves the client, or it is killed. When it is opened again, the conversation continues. */
  async leave(seat: Seat, fault?: Fault): Promise<void> {
    const killed = this.chance.percent(40)
    this.note(`${killed ? 'killed' : 'leave'} ${nameOf(seat.player)} ${JSON.stringify(fault ?? {})}`)
    if (killed) return seat.player.killed()
    await seat.player.leave(fault)
    await this.world.settled()
  }

  /** `/clear`: the conversation continues in another session. */
  async clear(seat: Seat, fault?: Fault): Promise<void> {
    const { player, conversation } = seat
    this.note(`clear ${nameOf(player)} ${JSON.stringify(fault ?? {})}`)
    const heard = this.hasWorkspace(player.cwd) && player.client !== 'opencode'
    const follows = this.noted(player)?.live === true && heard
    await player.clear(fault)
    const now = this.noted(player)
    if (follows && fault === undefined)
      require(now?.live === true && now.conversation === conversation, 'cleared, and not bound')
    this.#leave(seat)
    if (now?.live === true) seat.conversation = now.conversation
  }

  async prune(conversation: string, fault: () => Fault | undefined): Promise<void> {
    const prune = ['prune', idOf(conversation)]
    this.touched.add(conversation)
    const tree = this.treeFor(conversation)
    await this.type([...prune, '--keep', '1', '--yes'], fault(), tree)
    await this.law.checkShown(conversation, tree)
    if (this.chance.percent(60)) await this.type([...prune, '--restore'], fault(), tree)
  }

  /** Runs a verb in a terminal. */
  async type(args: string[], fault?: Fault, cwd = this.world.root) {
    const ran = await this.world.type(args, { fault, cwd })
    const where = cwd === this.world.root ? '' : ` in ${cwd}`
    this.note(`${args.join(' ')}${where} ${JSON.stringify(fault ?? {})} … ${ran.code} ${firstLine(ran)}`)
    this.law.checkTold(ran)
    require(ran.code === 0 || fault !== undefined, `cortext ${args.join(' ')}: ${ran.stderr}${ran.stdout}`)
    return ran
  }

  /** A stop in a terminal ends the recording in every open session, as a stop inside a client does. */
  async typeStop(conversation: string, fault?: Fault): Promise<void> {
    this.touched.add(conversation)
    await this.type(['stop', idOf(conversation)], fault, this.treeFor(conversation))
    if (this.atOnce) this.#mayBeLate(conversation)
    else this.heardOfStop(conversation)
  }

  /** Later turns of a session belong to the conversation only if the recording continues. */
  heardOfStop(conversation: string): void {
    for (const seat of this.seats)
      if (seat.conversation === conversation && this.noted(seat.player)?.goesOn !== true) this.#leave(seat)
  }

  /** Turns that others take at the same moment come before or after the stop. */
  #mayBeLate(conversation: string): void {
    for (const turn of this.talk.turns)
      if (turn.conversation === conversation && turn.atOnce) turn.sure = false
  }

  /** Saves a conversation. After a success the file holds all its turns. */
  async save(conversation: string, fault?: Fault, tree = this.treeFor(conversation)): Promise<void> {
    this.touched.add(conversation)
    const document = this.documents.textIn(tree, conversation)
    const { code } = await this.type(['save', idOf(conversation)], fault, tree)
    if (code !== 0) return
    for (const seat of this.seats) if (seat.conversation === conversation) this.saw(seat)
    if (!this.atOnce) this.law.checkFile(conversation, tree)
    this.#published(tree, conversation, document)
  }

  /** A verb has published a conversation in a work tree, whose document was `before` until then. */
  #published(tree: string, conversation: string, before: string | undefined): void {
    const { isPrivate, trees } = this.world
    if (!isPrivate || this.atOnce) return
    this.documents.checkPublished(tree, conversation, before, trees())
    this.documents.finish(tree, conversation)
  }

  noted(player: Player): Noted | undefined {
    const noted = notedOf(this.world.root, player)
    if (noted === undefined) return undefined
    const base = this.world.isPrivate ? '' : relative(this.world.root, player.cwd)
    const conversation = join(base, noted.conversation)
    return { ...noted, conversation: this.#moved.get(conversation) ?? conversation }
  }

  /** Git may have removed a moved folder and restored the committed one. */
  lookForMoved(): void {
    const lies = (path: string) => existsSync(join(this.world.root, path))
    for (const [from, to] of [...this.#moved]) if (!lies(to) && lies(from)) this.moved(to, from)
  }

  /** Notes that a conversation's folder was moved. */
  moved(from: string, to: string): void {
    this.#moved.delete(to)
    this.#moved.set(from, to)
    this.conversations.splice(this.conversations.indexOf(from), 1, to)
    for (const holder of [...this.seats, ...this.talk.turns])
      if (holder.conversation === from) holder.conversation = to
    this.touched.delete(from)
    this.touched.add(to)
  }

  saw(seat: Seat): void {
    for (const turn of this.talk.of(sessionOf(seat.player))) turn.seen = true
  }

  /** Turns that no hook has seen may be lost with the transcript. */
  forgetUnseen(seat: Seat): void {
    for (const turn of this.talk.of(sessionOf(seat.player))) {
      if (!turn.seen) turn.sure = false
      if (turn.conversation === undefined) turn.gone = true
    }
  }

  #heard(seat: Seat, said: Pick<Turn, 'number' | 'prompt' | 'answer'>, control = false): Turn {
    const { player, conversation } = seat
    const sure = !control && conversation !== undefined && player.writes
    const session = sessionOf(player)
    const turn = { ...said, control, session, conversation, sure, seen: false, atOnce: this.atOnce }
    this.talk.turns.push(turn)
    return turn
  }

  async #control(seat: Seat, typed: string, call: { args: string; shell: string; fault: Fault | undefined }) {
    const { player } = seat
    const number = ++this.#turns
    const prompt = `/${typed} ${call.args}`.trim()
    const answer = `Done, t${number}a.`
    this.note(
      `${typed} ${number} ${nameOf(player)} in ${seat.conversation} ${JSON.stringify(call.fault ?? {})}`,
    )
    this.#heard(seat, { number, prompt, answer }, true)
    return player.call({ typed, ...call, answer })
  }

  /** Runs after a command that opens or changes a conversation. Its failure never ends the recording. */
  #goesOn(seat: Seat, now: Noted | undefined, fault: Fault | undefined): void {
    const before = seat.conversation
    seat.conversation = now?.goesOn === true ? now.conversation : undefined
    const lost = before !== undefined && seat.conversation === undefined
    require(!lost, `nothing is recorded any more since ${JSON.stringify(fault)}: ${JSON.stringify(now)}`)
  }

  #touch({ conversation }: Seat): void {
    if (conversation !== undefined) this.touched.add(conversation)
  }

  #leave(seat: Seat): void {
    seat.conversation = undefined
    seat.free = this.#turns + 1
  }

  #adopted(seat: Seat, now: Noted): void {
    if (now.live) seat.conversation = now.conversation
    this.conversations.push(now.conversation)
    this.touched.add(now.conversation)
    // A conversation that a killed hook has made begins with its command.
    const [, begun] = /-topic-t(\d+)p$/.exec(now.conversation) ?? []
    const free = begun === undefined ? seat.free : Number(begun)
    for (const turn of this.talk.of(sessionOf(seat.player)))
      if (turn.conversation === undefined && turn.number >= free) {
        turn.conversation = now.conversation
        turn.sure = !turn.control && turn.gone !== true
      }
  }
}

function sessionOf(player: Player): string {
  return `${player.client} ${player.id}`
}

function nameOf(player: Player): string {
  return `${player.client} ${player.id.slice(0, 8)}`
}

function firstLine({ stdout, stderr }: { stdout: string; stderr: string }): string {
  return `${stderr}${stdout}`.split('\n', 1)[0]!.slice(0, 160)
}
