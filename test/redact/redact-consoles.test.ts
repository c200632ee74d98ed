import { describe, expect, it } from 'vitest'
import { redactText } from '../../src/redact/index.ts'
import { drawer } from './redact-corpus.ts'

const P = 'Qm82nL!wXz0'
const T = drawer(41)(40)

describe('a password that a console takes without a name is found', () => {
  it.each([
    `127.0.0.1:6379> AUTH ${P}`,
    `AUTH default ${P}`,
    `redis> auth ${P}`,
    `redis-cli -h r auth ${P}`,
    `HELLO 3 AUTH default ${P}`,
    `CONFIG SET requirepass ${P}`,
    `config set masterauth ${P}`,
    `ACL SETUSER ada on >${P} ~* +@all`,
    `USER ada\r\nPASS ${P}\r\n`,
    `a1 LOGIN ada ${P}`,
    `sqlplus app/${P}@//db:1521/XE`,
    `sqlplus -s app/${P} @run.sql`,
    `SQL> CONNECT app/${P}@XE`,
    `conn sys/${P} as sysdba`,
    `impdp userid=app/${P}@XE directory=d`,
    `rman target sys/${P}@XE`,
    `rabbitmqctl add_user app ${P}`,
    `rabbitmqctl -n r@h change_password app "${P}"`,
    `lftp -u ada,${P} sftp://h`,
    `smbclient //h/s -U ada%${P} -c ls`,
    `snmpwalk -v2c -c ${P} 10.0.0.1`,
    `snmpwalk -v3 -u a -A ${P} -x AES h`,
    `ipmitool -H h -U a -P ${P} power on`,
    `mosquitto_sub -u a -P ${P} -t x`,
    `cqlsh h -u a -p ${P}`,
    `plink -pw ${P} a@h`,
    `xfreerdp /v:h /u:a /p:${P}`,
    `net user ada ${P} /add`,
    `net use X: \\\\h\\s ${P} /user:ada`,
    `schtasks /create /ru a /rp ${P}`,
    `wpa_passphrase Home ${P}`,
    `nmcli dev wifi connect Home password ${P}`,
    `etcdctl --user root:${P} get /a`,
    `vault login ${T}`,
    `dotnet user-secrets set "Db:Password" "${P}"`,
    `npm config set //r.io/:_authToken ${T}`,
    `consul kv put app/db-password ${P}`,
    `snmp-server community ${P} RO`,
    `radius-server host h key 7 ${P}`,
    `enable secret 0 ${P}`,
    `username ada privilege 15 password 0 ${P}`,
    `DSN: app:${P}@tcp(db:3306)/app`,
    `sql.Open("mysql", "app:${P}@unix(/tmp/m.sock)/x")`,
    `##vso[task.setvariable variable=X;issecret=true]${P}`,
    `##vso[task.setvariable variable=API_TOKEN]${T}`,
    `::add-mask::${P}`,
  ])('%s', (text) => {
    const redacted = redactText(text).text
    expect(redacted).not.toContain(text.includes(T) ? T : P)
    expect(redactText(redacted).text).toBe(redacted)
    expect(redactText(JSON.stringify({ text })).text).not.toContain(text.includes(T) ? T : P)
  })

  it.each([
    'AUTH required by RFC2617',
    'AUTH LOGIN',
    'the auth middleware2 runs',
    'connect client/server2 now',
    'rabbitmqctl add_user <name> <password>',
    'rabbitmqctl add_user username password',
    'def add_user self name1',
    'sqlplus user/password@host',
    'lftp -u user,password h',
    'snmpwalk -v2c -c public 10.0.0.1',
    'user:password@tcp(db:3306)/app',
    '"%s:%s@tcp(%s:%d)/%s"',
    'dsn := user + ":" + pass + "@tcp(" + host + ")"',
    '##vso[task.setvariable variable=buildId]20260821.1a',
    '##vso[task.setvariable variable=X;issecret=true]$(token)',
    '##vso[task.setvariable variable=X_SECRET;issecret=true]clear;x-azurl,https://h/cache1',
    '::add-mask::$TOKEN',
    'net user ada * /add',
    'nmcli dev wifi list',
    'username admin role network-admin',
    'git config set user.name ada99',
    'LOGIN page2 opens',
  ])('%s stays', (text) => expect(redactText(text)).toEqual({ text, found: [] }))
})
