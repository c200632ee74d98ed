/**
 * The forms in which a talk contains a secret. `name` is the secret's name there, such as `etherscan_api_key`. A token
 * that is recognised by its vendor's start gets a name that says nothing.
 */
export const SURROUNDINGS = {
  bare: (value) => value,
  env: (value, name) => `PORT=3000\n${name.toUpperCase()}=${value}\nDEBUG=1`,
  JSON: (value, name) => JSON.stringify({ port: 3000, [name]: value, debug: true }, null, 2),
  YAML: (value, name) => `service:\n  port: 3000\n  ${name}: ${value}\n  debug: true`,
  'diff +': (value, name) => `@@ -1,2 +1,2 @@\n port=3000\n+${name}="${value}"`,
  'diff −': (value, name) => `@@ -1,2 +1,2 @@\n port=3000\n-${name.toUpperCase()}=${value}`,
  'numbered lines': (value, name) =>
    `    11→const port = 3000\n    12→const ${camel(name)} = '${value}'\n    13→`,
  prose: (value, name) => `The ${name.replaceAll('_', ' ')} is ${value}, please use it and tell nobody.`,
  header: (value, name) => `GET /v1 HTTP/1.1\nHost: api.local\nX-${dashed(name)}: ${value}\nAccept: */*`,
  // The secret of a webhook is a URL itself.
  URL: (value, name) =>
    value.startsWith('https://')
      ? value
      : `https://api.local/v1/items?page=2&${name}=${encodeURIComponent(value)}&sort=up`,
  shell: (value, name) => `$ deploy --region eu --${name.replaceAll('_', '-')} '${value}' --verbose`,
}

function camel(name) {
  return name.replace(/_([a-z0-9])/g, (_, letter) => letter.toUpperCase())
}

function dashed(name) {
  return name
    .split('_')
    .map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
    .join('-')
}
