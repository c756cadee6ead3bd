// Fuzzing sample 48213: MINIMIZE_ME, flags: --expose-gc --allow-natives-syntax
function main() {
const v2 = new ArrayBuffer(1024);
const v4 = new Float64Array(v2, 64, 8);
const v5 = [13.37, 13.37, -4294967296.5];
const v6 = { __proto__: v5, length: 1024, a: v4, valueOf: Symbol };
let v7 = 0;
class C8 extends Uint8Array {
    constructor(a10, a11) {
        super(a10);
        this.c = a11;
        try { this.d = a11.length; } catch (e12) { this.d = e12; }
    }
    m13(a14) {
        for (let i15 = 0; i15 < this.length; i15 += 256) {
            this[i15] ^= a14;
            v7++;
        }
        return super.at(a14);
    }
    static get e() {
        const v18 = Object.getOwnPropertyNames(v6);
        return v18.concat(v5, this.name);
    }
}
const v20 = new C8(v2, v5);
const v21 = v20.m13(-9007199254740991);
function f22(a23, a24, a25, a26) {
    const v27 = { ...a24, b: a25 };
    do {
        v7 += 2;
        v27[v7] = a23;
        if (!(v7 % 5)) { continue; }
        switch (typeof a26) {
            case "function":
                a26(v27, a23);
                break;
            case "symbol":
                Reflect.set(v27, a26, v20);
            default:
                v27.b = a25 * v7;
        }
    } while (v7 < 13);
    return v27;
}
const v31 = f22(v4, v5, 2147483647, Symbol.iterator);
const v33 = new Proxy(v20, {
    get(a35, a36, a37) {
        const v38 = Reflect.get(a35, a36, a35);
        return typeof v38 === "function" ? v38.bind(a35) : v38;
    },
    has(a39, a40) { return a40 in v5; },
});
let v41 = v33.subarray.length;
try {
    v5.sort((a43, a44) => { v5.pop(); return a44 - a43; });
} catch (e45) {
    v41 = e45;
}
const v46 = f22(v20, v31, v41, (a47, a48) => {
    if (a48 === v20 && v7 >= 9) {
        const v50 = structuredClone(v6.a.buffer, { transfer: [a48.buffer] });
        a47.f = new DataView(v50);
        v5.push(v50);
    }
});
for (const v53 of [v4, v31, C8.e]) {
    delete v53[3];
}
const v55 = Array.from({ length: 4 }, (v56, i57) => i57 ** v7);
v46.g = v33.m13(1);
const v58 = v33.fill(v55[2], v21);
return v58;
}
main();
