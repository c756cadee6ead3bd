import java.io.BufferedReader;
import java.io.File;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.PrintStream;
import java.lang.reflect.InvocationTargetException;
import java.net.URL;
import java.net.URLClassLoader;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;

/**
 * Compiles and runs one LocalizedPi.java after the other, so that a Java virtual machine is started once and
 * not twice for every candidate. Reads the names of directories, and answers each with yes or no: whether the
 * program in it compiles, and throws the exception for an unsupported locale. With the argument "both", it must also end well for
 * the supported one.
 */
class Judge {
  public static void main(String[] args) throws Exception {
    boolean both = args.length > 0 && args[0].equals("both");
    JavaCompiler javac = ToolProvider.getSystemJavaCompiler();
    PrintStream answers = System.out;
    OutputStream silence = OutputStream.nullOutputStream();
    // The output of the programs must not be mixed with the answers.
    System.setOut(new PrintStream(silence));
    BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
    for (String dir = in.readLine(); dir != null; dir = in.readLine()) {
      String source = new File(dir, "LocalizedPi.java").getPath();
      boolean compiles =
          javac.run(null, silence, silence, "-proc:none", "-d", dir, source) == 0;
      boolean throwing = compiles && "Unsupported locale".equals(thrown(dir, "hu"));
      answers.println(throwing && !(both && thrown(dir, "en") != null) ? "yes" : "no");
    }
  }

  /** The message of the exception that a program throws for a locale; null if it ends well. */
  private static String thrown(String dir, String locale) throws Exception {
    URL[] place = {new File(dir).toURI().toURL()};
    try (URLClassLoader loader = new URLClassLoader(place, null)) {
      var main = loader.loadClass("LocalizedPi").getMethod("main", String[].class);
      main.setAccessible(true);
      main.invoke(null, (Object) new String[] {locale});
      return null;
    } catch (InvocationTargetException thrown) {
      Throwable cause = thrown.getCause();
      return cause.getClass() == Exception.class ? cause.getMessage() : "another";
    } catch (ReflectiveOperationException | LinkageError | NullPointerException notMain) {
      return "no main";
    }
  }
}
