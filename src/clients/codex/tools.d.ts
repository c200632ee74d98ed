import type { Tools } from '../contract/tools.ts';
export declare const tools: Tools;
