local Stack = {}
Stack.__index = Stack
function Stack.new(limit)
  return setmetatable({ items = {}, limit = limit or 8, count = 0 }, Stack)
end
function Stack:push(value)
  if self.count >= self.limit then
    error("full")
  end
  self.count = self.count + 1
  self.items[self.count] = value
  return self
end
function Stack:pop()
  local value = self.items[self.count]
  self.items[self.count] = nil
  self.count = self.count - 1
  return value
end
local function split(text, separator)
  local parts = {}
  for part in string.gmatch(text, "[^" .. separator .. "]+") do
    parts[#parts + 1] = part
  end
  return parts
end
local ops = {
  ["+"] = function(a, b) return a + b end,
  ["-"] = function(a, b) return a - b end,
  ["*"] = function(a, b) return a * b end,
}
local function eval(text)
  local stack = Stack.new(4)
  for i, word in ipairs(split(text, " ")) do
    local number = tonumber(word)
    if number then
      stack:push(number)
    elseif ops[word] then
      local right, left = stack:pop(), stack:pop()
      stack:push(ops[word](left, right))
    else
      goto continue
    end
    ::continue::
  end
  return stack:pop()
end
local results = {}
for _, text in ipairs({ "1 2 +", "3 4 * 5 -", "7 +" }) do
  local ok = #text > 2
  repeat
    results[text] = ok and eval(text) or 0
    ok = not ok
  until ok == false
end
print(results["1 2 +"], results["7 +"])
