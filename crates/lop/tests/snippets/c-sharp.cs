using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading.Tasks;

namespace Shop.Stock
{
    /// <summary>What can be stored.</summary>
    public interface IItem
    {
        string Name { get; }
        decimal Price { get; set; }
    }

    [Flags]
    public enum Kind : byte { None = 0, Fresh = 1, Frozen = 1 << 1 }

    public record Point(int X, int Y = 0);

    [Serializable]
    public sealed class Item : IItem
    {
        private readonly string _name;

        public Item(string name, decimal price) : this(name) => Price = price;

        public Item(string name)
        {
            _name = name ?? throw new ArgumentNullException(nameof(name));
        }

        public string Name => _name;
        public decimal Price { get; set; } = 1.5m;
        public Kind Kind { get; private set; }
    }

    public class Store<T> where T : class, IItem
    {
        private readonly Dictionary<string, List<T>> items = new();
        public event EventHandler<string> Added;
        public const int Limit = 100;

        public int this[string name] => items.TryGetValue(name, out var list) ? list.Count : 0;

        public void Add(T item, params int[] counts)
        {
            if (!items.ContainsKey(item.Name))
            {
                items[item.Name] = new List<T> { item };
            }
            else if (counts.Length > 0 && counts[0] < Limit)
            {
                for (int i = 0; i < counts[0]; i++)
                    items[item.Name].Add(item);
            }
            Added?.Invoke(this, $"added {item.Name}: {item.Price:F2}\n");
        }

        public async Task<decimal> SumAsync(Func<T, bool> filter = null)
        {
            decimal sum = 0;
            foreach (var (name, list) in items)
            {
                sum += list.Where(x => filter == null || filter(x)).Sum(x => x.Price);
                await Task.Delay(10);
            }
            return sum;
        }

        public static string Describe(object thing)
        {
            // Each kind of thing has its own text.
            switch (thing)
            {
                case null: return "nothing";
                case int n when n > 10: return "many";
                default: break;
            }
            return thing switch { Point { X: 0 } => "origin", string s => s, _ => @"C:\other" };
        }

        public IEnumerable<string> Names()
        {
            try { foreach (var key in items.Keys) yield return key; }
            finally { Console.WriteLine("end\t{0}", items.Count); }
        }
    }
}
