import { ALNUM, HEX, type Shape, shape, URL64, UUID } from './shape.ts'

/** Models, and what is built around them. */
export const MODELS: readonly Shape[] = [
  shape('anthropic-key', 'sk-ant-', `${URL64}{24,200}`),
  shape('openai-key', 'sk-proj- sk-svcacct- sk-admin- sk-None-', `${URL64}{40,250}`),
  shape('openai-key', 'sk-', `${URL64}{1,200}T3BlbkFJ${URL64}{1,200}`),
  shape('openai-key', 'sk-', `${ALNUM}{20,64}`, { random: true }),
  shape('openrouter-key', 'sk-or-', `(?:v1-)?${HEX}{64}`),
  shape('langfuse-key', 'sk-lf-', UUID),
  shape('langsmith-key', 'lsv2_pt_ lsv2_sk_', `${HEX}{32}_${HEX}{10}`),
  shape('huggingface-token', 'hf_', `${ALNUM}{34,40}`),
  shape('huggingface-token', 'api_org_', `${ALNUM}{34}`),
  shape('replicate-token', 'r8_', `${URL64}{37,40}`),
  shape('groq-key', 'gsk_', `${ALNUM}{50,56}`),
  shape('xai-key', 'xai-', '[A-Za-z0-9_]{70,90}'),
  shape('perplexity-key', 'pplx-', `${ALNUM}{40,60}`),
  shape('fireworks-key', 'fw_', `${ALNUM}{22,30}`, { random: true }),
  shape('elevenlabs-key', 'sk_', `${HEX}{48}`),
  shape('pinecone-key', 'pcsk_', '[A-Za-z0-9_]{50,90}'),
  shape('tavily-key', 'tvly-', `(?:dev-|prod-)?${ALNUM}{30,40}`),
  shape('firecrawl-key', 'fc-', `${HEX}{32}`),
  shape('nvidia-key', 'nvapi-', `${URL64}{60,70}`),
  shape('e2b-key', 'e2b_', `${HEX}{40}`),
  shape('jina-key', 'jina_', `${ALNUM}{40,70}`),
  shape('wandb-key', 'wandb_v1_', `${URL64}{60,120}`),
]
