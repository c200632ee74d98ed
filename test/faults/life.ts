import { existsSync } from 'node:fs'
import { gitStep } from './git-steps.ts'
import { BrokenLaw, idOf } from './law.ts'
import type { TurnFaults } from './player.ts'
import { checkNothingGoes } from './private-law.ts'
import { type Seat, Story } from './story.ts'
import type { Fault } from './world.ts'

/** Kind of a life: how often each fault happens, and whether git and folders change meanwhile. */
export interface Kind {
  faults: readonly Fault['kind'][]
  /** In percent of the steps. */
  faulty: number
  git: boolean
  atOnce: boolean
  /** The workspace begins outside git and gets a repository later. */
  bare: boolean
  /** Git does not see the workspace; linked worktrees come and go. */
  isPrivate: boolean
}

export const KINDS = {
  'programs that are killed at any write, rename and fsync': kind({ faults: ['killed'], faulty: 60 }),
  'a full disk, and half a write': kind({ faults: ['full', 'full', 'short'], faulty: 60 }),
  'eight at once': kind({ atOnce: true }),
  'git and folders between the turns': kind({ git: true }),
  'a repository that is made while people talk': kind({ git: true, bare: true }),
  'all of it': kind({ faults: ['killed', 'full', 'short'], faulty: 25, git: true, atOnce: true }),
  'worktrees and cleanings of a private workspace': kind({ git: true, isPrivate: true }),
  'all of it in a private workspace': kind({
    faults: ['killed', 'killed', 'full', 'short'],
    faulty: 30,
    git: true,
    atOnce: true,
    isPrivate: true,
  }),
} satisfies Record<string, Kind>

function kind(some: Partial<Kind>): Kind {
  return { faults: [], faulty: 0, git: false, atOnce: false, bare: false, isPrivate: false, ...some }
}

/** Number of steps in a life, except in a short run. */
export const STEPS_OF_A_LIFE = 14

/** Runs one life and checks the law after every step. `broken` has the broken law, how to repeat it, and the diary. */
export async function live(
  kind: Kind,
  seed: number,
  steps = STEPS_OF_A_LIFE,
): Promise<{ met: string[]; broken?: string }> {
  const story = await Story.open(seed, { git: !kind.bare, isPrivate: kind.isPrivate })
  try {
    await begin(story)
    for (let step = 0; step < steps; step++) {
      await oneStep(story, kind)
      await check(story)
    }
    await finish(story)
    return { met: story.world.met() }
  } catch (error) {
    const diary = story.diary.map((line) => `  ${line}`).join('\n')
    const what =
      error instanceof BrokenLaw ? error.message : String(error instanceof Error ? error.stack : error)
    return { met: story.world.met(), broken: `CORTEXT_SEED=${seed}: ${what}\n${diary}` }
  } finally {
    await story.world.end()
  }
}

async function begin(story: Story): Promise<void> {
  const seat = await story.sit()
  // Earlier turns belong to no conversation.
  if (story.chance.percent(50)) await story.turn(seat)
  await story.start(seat)
  await story.turn(seat)
}

async function check(story: Story): Promise<void> {
  for (const conversation of story.touched)
    await story.law.checkShown(conversation, story.treeFor(conversation))
  story.touched.clear()
  story.law.checkCommits()
}

async function finish(story: Story): Promise<void> {
  if (story.world.isPrivate) return checkNothingGoes(story)
  for (const conversation of story.conversations) {
    await story.save(conversation)
    await story.law.checkShown(conversation)
  }
}

async function oneStep(story: Story, kind: Kind): Promise<void> {
  const { chance } = story
  if (kind.git && chance.percent(45)) {
    // Where no verb looks after the step, hooks come first.
    if (!kind.isPrivate || chance.percent(50))
      for (const conversation of story.conversations) story.touched.add(conversation)
    await gitStep(story)
    return story.lookForMoved()
  }
  if (kind.atOnce && chance.percent(kind.git ? 10 : 40)) return severalAtOnce(story)
  const fault = () => (chance.percent(kind.faulty) ? faultOf(story, kind) : undefined)
  const seat = await someSeat(story)
  const conversation = chance.of(story.conversations)
  const tree = story.treeFor(conversation)
  const unseen = (step: string, does: () => Promise<void>) => story.law.unseen(step, does)
  // A client whose work tree was removed may go on, but starts no program.
  if (!existsSync(seat.player.cwd))
    return chance.percent(60) ? story.turn(seat) : unseen('leaving', () => story.leave(seat))
  switch (
    chance.of([
      'turn',
      'turn',
      'turn',
      'start',
      'stop',
      'resume',
      'save',
      'type-stop',
      'type-resume',
      'prune',
      'leave',
      'clear',
      'new',
    ])
  ) {
    case 'turn':
      return unseen('a turn', () => story.turn(seat, turnFaults(story, seat, fault)))
    case 'start':
      return unseen('a start', () => story.start(seat, fault()))
    case 'stop': {
      if (!story.mayStop(seat)) return story.turn(seat)
      if (await story.stop(seat, fault())) return
      // Turns after a failed stop belong to the conversation. The stop is then repeated.
      if (chance.percent(50)) await story.turn(seat)
      if (story.mayStop(seat)) await story.stop(seat)
      return
    }
    case 'resume':
      if (!kind.isPrivate && tree !== seat.player.cwd) return story.turn(seat)
      await unseen('a resume', () => story.resume(seat, conversation, fault()))
      return story.turn(seat, turnFaults(story, seat, fault))
    case 'save':
      return story.save(conversation, fault())
    case 'type-stop':
      return story.typeStop(conversation, fault())
    case 'type-resume':
      story.touched.add(conversation)
      return void (await story.type(['resume', idOf(conversation), '--print'], fault(), tree))
    case 'prune':
      return story.prune(conversation, fault)
    case 'leave':
      return unseen('leaving', () => story.leave(seat, fault()))
    case 'clear':
      return unseen('a clear', () => story.clear(seat, fault()))
    default:
      if (kind.isPrivate) return void (await story.sit(story.treeFor(conversation)))
      return void (await story.sit(
        kind.git && !kind.bare && chance.percent(35) ? story.world.linked : undefined,
      ))
  }
}

function turnFaults(story: Story, { player }: Seat, fault: () => Fault | undefined): TurnFaults {
  const { chance } = story
  return {
    prompt: inHook(chance, fault()),
    end: inHook(chance, fault()),
    unseen: chance.percent(8),
    killedBefore: chance.percent(8),
    late: player.client === 'claude' && chance.percent(15),
  }
}

/** A hook changes the disk only a few times. */
function inHook(chance: Story['chance'], fault: Fault | undefined): Fault | undefined {
  return fault === undefined ? undefined : { ...fault, at: 1 + chance.number(14) }
}

/** An open client, or one that is opened again. */
async function someSeat(story: Story): Promise<Seat> {
  const seats = story.seats.filter(isThere)
  const seat = seats.length === 0 ? await story.sit() : story.chance.of(seats)
  if (!seat.player.open) {
    story.note(`reopen ${seat.player.client} ${seat.player.id}`)
    await seat.player.reopen()
  }
  return seat
}

/** A client that has ended is not opened again in a work tree that was removed. */
function isThere({ player }: Seat): boolean {
  return player.open || existsSync(player.cwd)
}

function faultOf({ chance }: Story, { faults }: Kind): Fault {
  return { kind: chance.of(faults), at: 1 + chance.number(chance.percent(50) ? 12 : 60) }
}

async function severalAtOnce(story: Story): Promise<void> {
  const { chance } = story
  while (story.seats.filter(isThere).length < 4) {
    await story.start(await story.sit())
  }
  const [one, ...others] = story.seats.filter(isThere)
  for (const seat of [one!, ...others]) if (!seat.player.open) await seat.player.reopen()
  const conversation = chance.of(story.conversations)
  story.note('at once:')
  story.atOnce = true
  const stops = chance.percent(50)
  await Promise.all([
    ...others.map(async (seat) => {
      await story.turn(seat)
      await story.turn(seat)
    }),
    stops && one!.conversation !== undefined && existsSync(one!.player.cwd)
      ? story.stop(one!).then(() => undefined)
      : story.turn(one!),
    ...Array.from({ length: 3 }, () => story.save(chance.of(story.conversations))),
    story.typeStop(conversation),
  ])
  story.atOnce = false
  await story.world.settled()
  story.heardOfStop(conversation)
  story.note('… at once')
}
