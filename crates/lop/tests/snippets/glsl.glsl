#version 330 core
#define MAX_LIGHTS 4
#define SQUARE(x) ((x) * (x))

#ifndef SHARP
#define SHARP 8.0
#endif

// What comes from the vertex stage.
in vec3 position;
in vec3 normal;
in vec2 coord;

layout(location = 0) out vec4 color;

uniform sampler2D image;
uniform mat4 view;
uniform float time;

struct Light {
    vec3 place;
    vec3 tint;
    float power;
};

layout(std140) uniform Scene {
    vec4 ambient;
    int count;
};

uniform Light lights[MAX_LIGHTS];

const float weights[3] = float[3](0.25, 0.5, 0.25);

float fade(in float distance, float power)
{
    return power / (1.0 + SQUARE(distance));
}

/* Adds up the light of one source. */
vec3 shade(Light light, vec3 n, out float total)
{
    vec3 path = light.place - position;
    float amount = max(dot(n, normalize(path)), 0.0);
    total = fade(length(path), light.power);
    return light.tint * amount * total;
}

void mirror(inout vec2 uv)
{
    if (uv.x < 0.5) {
        uv.x = 1.0 - uv.x;
    } else if (uv.y > 0.5 && uv.x != 1.0) {
        uv.yx = uv.xy;
    } else {
        uv *= SHARP;
    }
}

void main()
{
    vec3 sum = ambient.rgb;
    vec2 uv = coord;
    float total = 0.0;
    mirror(uv);
    for (int i = 0; i < min(count, MAX_LIGHTS); i++) {
        float part;
        sum += shade(lights[i], normalize(normal), part);
        total += part;
        if (total > 10.0)
            break;
    }
    int k = 0;
    while (k < 3) {
        sum += weights[k] * texture(image, uv + vec2(float(k), sin(time))).rgb;
        ++k;
    }
    switch (k & 1) {
    case 0:
        discard;
    default:
        sum = mix(sum, vec3(1.0), 0.1);
    }
    color = view * vec4(sum, total > 1.0 ? 1.0 : 0.5);
}
