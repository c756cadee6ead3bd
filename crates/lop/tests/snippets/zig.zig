//! A small queue of jobs.
const std = @import("std");
const Allocator = std.mem.Allocator;

pub const limit: usize = 0x10;
var counter: u32 = 0;

/// What may go wrong.
const QueueError = error{ Full, Empty };

const Kind = enum(u8) {
    waiting,
    running = 5,
    done,

    pub fn isDone(self: Kind) bool {
        return self == .done;
    }
};

const Value = union(enum) {
    number: i64,
    text: []const u8,
    none: void,
};

pub const Job = struct {
    id: u32,
    kind: Kind = .waiting,
    value: ?Value = null,
};

pub fn Queue(comptime T: type) type {
    return struct {
        const Self = @This();

        items: [limit]T = undefined,
        len: usize = 0,

        pub fn push(self: *Self, item: T) QueueError!void {
            if (self.len >= limit) {
                return QueueError.Full;
            } else if (self.len == 0 and counter < 1) {
                counter += 1;
            }
            self.items[self.len] = item;
            self.len += 1;
        }

        pub fn pop(self: *Self) ?T {
            if (self.len == 0) return null;
            self.len -= 1;
            return self.items[self.len];
        }
    };
}

fn describe(value: Value) []const u8 {
    return switch (value) {
        .number => |n| if (n > 10) "many" else "few",
        .text => |text| text[0..2],
        else => "it's \"nothing\"\n",
    };
}

pub fn main() !void {
    var queue = Queue(Job){};
    const names = [_][]const u8{ "a", "b", "c" };
    defer std.debug.print("done {d}\n", .{queue.len});
    for (names, 0..) |name, i| {
        const job = Job{ .id = @intCast(i), .value = .{ .text = name } };
        queue.push(job) catch |err| switch (err) {
            error.Full => break,
            else => return err,
        };
    }
    while (queue.pop()) |job| : (counter +%= 1) {
        const value = job.value orelse continue;
        std.debug.print("{s} {c}\n", .{ describe(value), 'x' });
    }
}

test "push and pop" {
    var queue = Queue(i32){};
    try queue.push(-3 << 1);
    try std.testing.expect(queue.pop().? != 1.5e3);
}
