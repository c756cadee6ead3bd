-- A small bank with accounts.
local Account = {}
Account.__index = Account

local LIMIT <const> = 0xff
local names, count = { "first", "second" }, 0

--[[ Makes a new account
     with a start balance. ]]
function Account.new(name, balance)
  local self = setmetatable({}, Account)
  self.name = name or "none"
  self.balance = balance or 0
  self["log"] = { [1] = "open", size = 1; "extra", }
  count = count + 1
  return self
end

function Account:deposit(amount)
  if amount <= 0 or amount > LIMIT then
    error("bad amount: \"" .. amount .. "\"\n")
  elseif amount ~= amount // 1 then
    amount = math.floor(amount + 0.5)
  else
    self.log[#self.log + 1] = ('in %d'):format(amount)
  end
  self.balance = self.balance + amount
end

local function sum(...)
  local total = 0
  for i, value in ipairs({ ... }) do
    total = total + value * i ^ 2
  end
  return total, select("#", ...)
end

function Account.__add(a, b)
  return Account.new(a.name .. b.name, a.balance + b.balance)
end

local a = Account.new("a", 10)
local b = Account.new "b"

for step = 10, 1, -3 do
  if step % 2 == 0 then
    goto continue
  end
  b:deposit(step)
  ::continue::
end

while a.balance > 0 do
  a.balance = a.balance - 4
  if not a.name then break end
end

repeat
  local text = [[
a long "text"
]]
  count = count << 1 | 1
until count > 20 and #text > 3

do
  local ok, message = pcall(function() a:deposit(-1) end)
  print(ok, message, (a + b).balance, sum(1, 2.5e1, 3))
end

table.sort(names, function(x, y)
  return x < y
end)

return { Account = Account, sum = sum, empty = nil, flag = true }
