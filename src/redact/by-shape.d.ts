import { type Judge } from './scan.ts';
/** Every literal that announces a secret. One search for all of them spares one search for each kind. */
export declare const SHAPE_TRIGGER: RegExp;
/** Judges by their shape the places of a text where a literal stands. */
export declare function secretsByShape(text: string): Judge;
