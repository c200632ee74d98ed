/** A source of random values. Equal seeds give equal values in the same order. */
export class Chance {
  #state: number

  constructor(seed: number) {
    this.#state = seed >>> 0
  }

  /** A whole number from 0 to `below` - 1. */
  number(below: number): number {
    return Math.floor(this.#draw() * below)
  }

  /** True with this probability, in percent. */
  percent(likely: number): boolean {
    return this.#draw() * 100 < likely
  }

  of<T>(list: readonly T[]): T {
    return list[this.number(list.length)]!
  }

  /** A name in the form of a UUID. */
  uuid(): string {
    const hex = Array.from({ length: 32 }, () => this.number(16).toString(16)).join('')
    return hex.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12})$/, '$1-$2-4$3-8$4-$5')
  }

  /** Mulberry32. */
  #draw(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
