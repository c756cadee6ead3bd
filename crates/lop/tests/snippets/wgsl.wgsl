// Moves and draws small particles.
override count: u32 = 64u;
override step = 0.5;
override scale: f32 = 1.0;

struct Particle {
    @location(0) place: vec2<f32>,
    @location(1) speed: vec2<f32>,
    kind: i32,
}

struct Settings {
    time: f32,
    size: vec3<u32>,
    view: mat4x4<f32>,
};

struct Output {
    @builtin(position) position: vec4<f32>,
    @location(0) color: vec4<f32>,
}

@group(0) @binding(0) var<uniform> settings: Settings;
@group(0) @binding(1) var<storage, read_write> particles: array<Particle>;
@group(1) @binding(0) var image: texture_2d<f32>;
@group(1) @binding(1) var image_sampler: sampler;

var<private> seed: u32 = 0x1fu;
var<workgroup> shared_sums: array<f32, 64>;

/* A simple number generator. */
fn random(low: f32, high: f32) -> f32 {
    seed = seed * 1103515245u + 12345u;
    let part = f32((seed >> 16u) & 255u) / 255.0;
    return low + (high - low) * part;
}

fn bounce(p: ptr<function, Particle>, limit: f32) -> bool {
    if ((*p).place.x > limit || (*p).place.x < -limit) {
        (*p).speed.x = -(*p).speed.x;
        return true;
    } else if (!((*p).place.y != limit)) {
        (*p).speed *= 2.0;
    } else {
        (*p).kind += 1;
    }
    return false;
}

@compute @workgroup_size(64, 1, 1)
fn move_all(@builtin(global_invocation_id) id: vec3<u32>) {
    var particle = particles[id.x];
    var sum: f32;
    for (var i: u32 = 0u; i < count; i++) {
        if (i == id.x) {
            continue;
        }
        sum += length(particles[i].place - particle.place);
    }
    switch (particle.kind) {
        case 0, 1: {
            particle.speed = vec2<f32>(random(-1.0, 1.0), step);
        }
        default: {
            loop {
                if (bounce(&particle, sum)) { break; }
            }
        }
    }
    while (sum > 1e3) { sum /= 2.0; }
    particles[id.x] = particle;
}

@fragment
fn draw(input: Output) -> @location(0) vec4<f32> {
    let pixel = textureSample(image, image_sampler, input.position.xy);
    return select(pixel, input.color * scale, pixel.a < 0.1 && settings.time >= 0.0);
}
