package shop.stock

import scala.collection.mutable.{ArrayBuffer, Map => Table}
import scala.util._

/** Something with a price. */
sealed trait Item extends Product with Serializable {
  def name: String
  def price: Double = 1.5e2
}

case object Nothing1 extends Item { val name = "nothing" }
case class Tool(name: String, override val price: Double) extends Item
case class Box[+A <: Item](items: List[A], size: Int = 3)(implicit val tag: String) extends Item {
  override def name: String = s"box of ${items.length} $tag\n"
}

abstract class Store[K, V](private val limit: Int) {
  type Entry = (K, V)

  protected var count = 0
  private[this] val entries: Table[K, V] = Table.empty
  lazy val first: Option[Entry] = entries.headOption

  def this() = this(0x10)

  @throws[IllegalStateException]("when full")
  def add(key: K, value: => V): this.type = {
    if (count >= limit && !entries.contains(key)) {
      throw new IllegalStateException("full \"store\"")
    } else if (count < 0) {
      count = 0
    } else {
      entries += key -> value
      count += 1
    }
    this
  }

  def check(key: K): Boolean
}

object Store {
  val names = Seq("a", "b", 'c'.toString)

  def apply[K](limit: Int): Store[K, Int] = new Store[K, Int](limit) {
    override def check(key: K): Boolean = true
  }

  implicit class Loud(text: String) {
    def loud: String = text.toUpperCase + """!"raw"!"""
  }

  def total(items: Item*): Double = items.map(_.price).foldLeft(0.0)((a, b) => a + b)

  // Each kind of item has its own text.
  def describe(item: Any): String = item match {
    case Tool(name, price) if price > 10 => name
    case Box(head :: tail, _) => describe(head)
    case n: Int => n.toString
    case "x" | 'y' | null => "letter"
    case _ => "other"
  }

  def main(args: Array[String]): Unit = {
    val pairs = for {
      i <- 1 to 10 by 2
      j <- names
      if i % 3 == 0
    } yield (i, j)
    var left = pairs.size
    while (left > 0) {
      left -= 1
    }
    for (name <- names) println(name)
    val result = try {
      args(0).toInt
    } catch {
      case e: NumberFormatException => -1
    } finally {
      println("done")
    }
    val (a, b) = (result, total(Tool("rake", 8), Nothing1))
    println(f"$a%d $b%.2f")
  }
}
