@file:Suppress("unused")

package shop.stock

import kotlin.math.max
import kotlin.collections.List as Items

// The limit for one shelf.
const val LIMIT = 0x10

typealias Check<T> = (T) -> Boolean

annotation class Note(val text: String = "none")

enum class Size(val weight: Int) {
    SMALL(1),
    LARGE(10);

    fun twice() = weight * 2
}

sealed class Result<out T> {
    data class Good<T>(val value: T) : Result<T>()
    object Empty : Result<Nothing>()
}

interface Named {
    val name: String
    fun label(): String = "<$name>"
}

@Note("a shelf")
open class Shelf<T : Named>(override val name: String, private var count: Int = 0) : Named {
    private val items = mutableListOf<T>()
    lateinit var owner: String

    var total: Long = 1_000L
        get() = field + count
        private set

    init {
        require(count >= 0) { "bad count: ${count + 1}\n" }
    }

    constructor(name: String, first: T) : this(name) {
        items.add(first)
    }

    operator fun plus(item: T): Shelf<T> {
        if (count < LIMIT && item !in items) {
            items.add(item)
            count++
        } else {
            throw IllegalStateException("full \"shelf\"")
        }
        return this
    }

    fun find(check: Check<T>): T? = items.firstOrNull { check(it) }

    companion object {
        fun make(vararg names: String) = names.map { Shelf<Named>(it) }
    }
}

fun <T> describe(thing: Result<T>, depth: Int): String = when (thing) {
    is Result.Good -> "good ${thing.value}"
    Result.Empty -> if (depth in 1..3) "empty" else 'x'.toString()
}

suspend fun String.repeated(times: Int): String {
    var text = ""
    for (i in 0 until times step 2) {
        if (i == 4) continue
        text += this
    }
    while (text.length > 100) text = text.drop(1)
    return try {
        text.substring(0, max(1, times))
    } catch (e: IndexOutOfBoundsException) {
        e.message ?: "none"
    } finally {
        println(text as? Any)
    }
}
