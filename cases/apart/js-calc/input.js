// A small calculator: let, lambda, application, arithmetic.
// e.g.  let twice = fn f => fn x => f (f x) in twice (fn n => n * 3) 7

const TOKEN = /\s*(?:(\d+(?:\.\d+)?)|([A-Za-z_]\w*)|(=>|==|[-+*\/%()=<]))/y

function tokenize(text) {
    const tokens = []
    TOKEN.lastIndex = 0
    while (TOKEN.lastIndex < text.length) {
        const m = TOKEN.exec(text)
        if (m === null) throw new SyntaxError('strange character')
        if (m[1]) tokens.push({ kind: 'num', value: Number(m[1]) })
        else if (m[2]) tokens.push({ kind: ['let', 'in', 'fn', 'if', 'then', 'else'].includes(m[2]) ? m[2] : 'id', value: m[2] })
        else tokens.push({ kind: m[3], value: m[3] })
    }
    tokens.push({ kind: 'end' })
    return tokens
}

function parse(text) {
    const tokens = tokenize(text)
    let at = 0
    const peek = () => tokens[at].kind
    const next = () => tokens[at++]
    const expect = kind => {
        if (peek() !== kind) throw new SyntaxError(`expected ${kind}, found ${peek()}`)
        return next()
    }

    function expression() {
        switch (peek()) {
        case 'let': {
            next()
            const name = expect('id').value
            expect('=')
            const value = expression()
            expect('in')
            return { type: 'let', name, value, body: expression() }
        }
        case 'fn': {
            next()
            const param = expect('id').value
            expect('=>')
            return { type: 'fn', param, body: expression() }
        }
        case 'if': {
            next()
            const test = expression()
            expect('then')
            const yes = expression()
            expect('else')
            return { type: 'if', test, yes, no: expression() }
        }
        }
        return binary(0)
    }

    const LEVELS = [['==', '<'], ['+', '-'], ['*', '/', '%']]

    function binary(level) {
        if (level === LEVELS.length) return application()
        let left = binary(level + 1)
        while (LEVELS[level].includes(peek())) {
            const op = next().kind
            left = { type: 'binary', op, left, right: binary(level + 1) }
        }
        return left
    }

    function application() {
        let callee = atom()
        while (['num', 'id', '('].includes(peek())) callee = { type: 'call', callee, arg: atom() }
        return callee
    }

    function atom() {
        const t = next()
        if (t.kind === 'num') return { type: 'num', value: t.value }
        if (t.kind === 'id') return { type: 'var', name: t.value }
        if (t.kind === '(') {
            const e = expression()
            expect(')')
            return e
        }
        throw new SyntaxError(`unexpected ${t.kind}`)
    }

    const tree = expression()
    expect('end')
    return tree
}

class Unbound extends Error {
    constructor(name, scope) {
        super(`unbound variable ${name}, known here: ${[...scope].join(' ')}`)
        this.name = 'Unbound'
    }
}

const evaluate = (node, env) => {
    switch (node.type) {
    case 'num': return node.value
    case 'var':
        if (!(node.name in env)) throw new Unbound(node.name, Object.keys(env).sort())
        return env[node.name]
    case 'let': return evaluate(node.body, { ...env, [node.name]: evaluate(node.value, env) })
    case 'fn': return arg => evaluate(node.body, { ...env, [node.param]: arg })
    case 'if': return evaluate(evaluate(node.test, env) ? node.yes : node.no, env)
    case 'call': return evaluate(node.callee, env)(evaluate(node.arg, env))
    case 'binary': {
        const a = evaluate(node.left, env), b = evaluate(node.right, env)
        return { '+': a + b, '-': a - b, '*': a * b, '/': a / b, '%': a % b, '==': a === b, '<': a < b }[node.op]
    }
    }
}

for (const program of [
    '2 * (3 + 4) - 1',
    'let twice = fn f => fn x => f (f x) in twice (fn n => n * 3) 7',
    'let limit = 10 in let gcd = fn a => fn b => if b == 0 then a else gcd b (a % b) in gcd 48 limit',
    'let x = 5 in if x < 3 then x else 0 - x',
]) {
    console.log(program, '-->', evaluate(parse(program), {}))
}
