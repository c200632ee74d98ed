import type { Judge } from '../scan.ts';
/**
 * Finds secrets that only their surroundings give away: `DB_PASSWORD=…`, `"api_key": "…"`, `--token …`,
 * `https://user:…@host`, `Authorization: …`. Each rule is tried where one of its words stands.
 */
export declare const CONTEXT_TRIGGER: RegExp;
/** Judges the places of a text where a word of the trigger stands. */
export declare function secretsInContext(text: string): Judge;
