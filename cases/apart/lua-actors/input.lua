-- Cooperative actors with mailboxes.

local Scheduler = {}
Scheduler.__index = Scheduler

local Actor = {}
Actor.__index = Actor

function Scheduler.new()
  return setmetatable({ actors = {}, queue = {}, first = 1, last = 0, ticks = 0 }, Scheduler)
end

function Scheduler:push(actor)
  if not actor.queued then
    actor.queued = true
    self.last = self.last + 1
    self.queue[self.last] = actor
  end
end

function Scheduler:shift()
  if self.first > self.last then return nil end
  local actor = self.queue[self.first]
  self.queue[self.first] = nil
  self.first = self.first + 1
  actor.queued = false
  return actor
end

function Scheduler:spawn(name, body)
  local actor = setmetatable({ name = name, inbox = {}, scheduler = self }, Actor)
  actor.resume = coroutine.wrap(function() return body(actor) end)
  self.actors[name] = actor
  self:push(actor)
  return actor
end

function Scheduler:run(limit)
  while self.ticks < limit do
    local actor = self:shift()
    if not actor then break end
    self.ticks = self.ticks + 1
    actor.resume()
  end
  return self.ticks
end

function Actor:send(name, ...)
  local target = assert(self.scheduler.actors[name], "no such actor")
  table.insert(target.inbox, table.pack(self.name, ...))
  self.scheduler:push(target)
end

function Actor:receive()
  while #self.inbox == 0 do coroutine.yield() end
  local message = table.remove(self.inbox, 1)
  return table.unpack(message, 1, message.n)
end

function Actor:log(fmt, ...)
  io.write(("%-8s "):format(self.name), fmt:format(...), "\n")
end

local system = Scheduler.new()

system:spawn("counter", function(self)
  local sum = 0
  while true do
    local from, what, n = self:receive()
    if what == "add" then
      sum = sum + n
    elseif what == "get" then
      self:send(from, "sum", sum)
    else
      break
    end
  end
  self:log("stopped at %d", sum)
end)

local function producer(count)
  return function(self)
    for i = 1, count do
      self:send("counter", "add", i * i)
      coroutine.yield(self.scheduler:push(self))
    end
    self:send("counter", "get")
    local _, what, sum = self:receive()
    self:log("%s = %d", what, sum)
    self:send("counter", "stop")
  end
end

system:spawn("p1", producer(3))
system:spawn("p2", producer(5))
print("ticks", system:run(100))
