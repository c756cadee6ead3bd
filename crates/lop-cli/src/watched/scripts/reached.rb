# Notes which lines of some files run.
place = ENV["LOP_REACHED"]
names = File.readlines(File.join(place, "names"), chomp: true)
kept = File.open(File.join(place, "lines-#{Process.pid}"), "ab")
kept.sync = true
noted = {}
TracePoint.new(:line, :class) do |it|
  key = [it.path, it.lineno]
  next if noted[key] || !names.include?(File.basename(it.path))
  noted[key] = true
  kept.write("#{it.lineno}:#{it.path}\n")
end.enable

# Ruby asks an exception that ends the program for its message when no lines are noted any more.
at_exit do
  $!&.full_message
rescue Exception
  nil
end
