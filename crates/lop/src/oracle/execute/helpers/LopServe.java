import java.io.BufferedReader;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

/**
 * Lets a test in Java stay: {@code lop --serve} starts it once and hands it one candidate after the other.
 *
 * <pre>
 * public class Test {
 *     public static void main(String[] args) throws Exception {
 *         var javac = javax.tools.ToolProvider.getSystemJavaCompiler();
 *         LopServe.serve(args, path -> javac.run(null, null, null, "-proc:none", path));
 *     }
 * }
 * </pre>
 *
 * Without --serve, the same class is an ordinary test: it judges the candidate that its first argument names.
 *
 * <p>The check returns an exit code: 0 if the candidate is interesting. An exception is exit code 1, with its stack trace
 * on standard error. System.exit ends the process: its code counts, but a new process has to be started. Java no longer
 * has a way to prevent that.
 *
 * <p>The protocol is described in docs/src/guides/serve.md of lop.
 */
public final class LopServe {
    /** Judges a candidate. */
    public interface Check {
        /** Returns the exit code of a test on the candidate with this path. */
        int check(String path) throws Throwable;
    }

    private LopServe() {}

    /** Judges the candidates that lop sends, or, without lop, the one that the first argument names. */
    public static void serve(String[] args, Check check) throws IOException {
        String candidates = System.getenv("LOP_CANDIDATES");
        if (candidates == null) {
            System.exit(judge(check, args[0]));
        }
        try (OutputStream answers = new FileOutputStream(System.getenv("LOP_ANSWERS"))) {
            answers.write("lop-serve 1\n".getBytes(StandardCharsets.US_ASCII));
            // File names are in the encoding of the system, as arguments are.
            var input = new InputStreamReader(
                    new FileInputStream(candidates), System.getProperty("sun.jnu.encoding"));
            var lines = new BufferedReader(input);
            for (String line; (line = lines.readLine()) != null; ) {
                int space = line.indexOf(' ');
                int code = judge(check, line.substring(space + 1));
                String answer = line.substring(0, space) + " " + code + "\n";
                answers.write(answer.getBytes(StandardCharsets.US_ASCII));
            }
        }
    }

    private static int judge(Check check, String path) {
        int code;
        try {
            code = check.check(path);
        } catch (Throwable failure) {
            failure.printStackTrace();
            code = 1;
        }
        System.out.flush();
        System.err.flush();
        return code & 255;
    }
}
