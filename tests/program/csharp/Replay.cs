// Tests ports/csharp/Timeslicer.cs: replays a script that was recorded with the Rust crate, and compares every run. The
// test that runs this program also makes the script and the class Cases, and compiles all three files.

using System;
using System.Collections.Generic;
using System.IO;
using Timeslicing;

internal static class Program
{
    private static int Main(string[] arguments)
    {
        try
        {
            Checks.Arguments();
            Checks.CallsInsideRuns();
            Checks.MachineClock();
            Checks.UnityPackage(arguments[1]);
            foreach (int number in Cases.Defaults)
            {
                Checks.Exception(number);
                Checks.ExceptionOfWeight(number);
                Checks.Pause(number);
                Checks.Allocations(number);
                Checks.FirstUpdates(number); // compiles everything
                long bytes = Checks.FirstUpdates(number);
                Checks.True(bytes == 0, "the updates of case " + number + " allocate nothing, not " + bytes + " bytes");
            }
            using (var script = new StreamReader(arguments[0]))
            {
                var replay = new Replay(script);
                replay.Play();
                Console.WriteLine("{0} updates, {1} runs", replay.Updates, replay.Runs);
            }
            return 0;
        }
        catch (Failure failure)
        {
            Console.Error.WriteLine(failure.Message);
            return 1;
        }
    }
}

/// <summary>The exception of a failed test.</summary>
internal sealed class Failure : Exception
{
    public Failure(string message)
        : base(message)
    {
    }
}

/// <summary>The exception that a task throws on purpose in a test.</summary>
internal sealed class Interruption : Exception
{
}

/// <summary>Makes the calls of a recorded script, and compares every run with the recorded run.</summary>
/// <remarks>
/// Each line of the script has one of these forms, in which a task is the number of its birth and times are in
/// nanoseconds: `case STRATEGY NAME` (creates a Timeslicer), `birth`, `death TASK`, `request TASK`, `strategy STRATEGY`
/// (switches to it), `update DELTA`, `run TASK ELAPSED COST` (followed by the births, deaths and requests that the run
/// makes), `throw` (ends the run with an exception) and `end RUNS BACKLOG` (ends the update).
/// </remarks>
internal sealed class Replay
{
    private readonly TextReader script;
    private readonly List<TaskId> ids = new List<TaskId>();
    private Timeslicer<int> tasks;
    private Nanos clock;
    private bool hasThrown;
    private int number;
    private int updatesOfCase;
    private string name;
    private string[] words;
    private int line;

    public Replay(TextReader script)
    {
        this.script = script;
        Next();
    }

    public int Updates { get; private set; }

    public int Runs { get; private set; }

    public void Play()
    {
        while (words != null)
        {
            switch (words[0])
            {
                case "case":
                    number = (int)Number(1);
                    name = words[2];
                    ids.Clear();
                    updatesOfCase = 0;
                    tasks = new Timeslicer<int>(Cases.Strategy(number), () => clock);
                    Next();
                    break;
                case "strategy":
                    tasks.SetStrategy(Cases.Strategy((int)Number(1)));
                    Next();
                    break;
                case "update":
                    Update();
                    break;
                default:
                    if (!PlayEvent())
                    {
                        throw Unlike("nothing more");
                    }
                    break;
            }
        }
    }

    private void Update()
    {
        var delta = new Nanos(Number(1));
        Next();
        hasThrown = false;
        updatesOfCase++;
        int runsBefore = Runs;
        int runs;
        try
        {
            runs = tasks.Update(delta, Weigh, Run);
        }
        catch (Interruption)
        {
            hasThrown = false;
            runs = Runs - runsBefore;
        }
        if (hasThrown)
        {
            throw Unlike("an update that hides the exception of a task");
        }
        Expect("end " + runs + " " + tasks.Backlog);
        Next();
        Updates++;
    }

    /// <summary>Returns the weight of a task, which depends on the case and on time.</summary>
    private double Weigh(int task)
    {
        int place = (task * 37 + updatesOfCase / 4) % 100;
        switch (number % 3)
        {
            case 0:
                return 1.0 / (1 + place);
            case 1:
                return place < 10 ? 1 : 0.05;
            default:
                return place / 50.0 - 0.2;
        }
    }

    private void Run(int task, Nanos elapsed)
    {
        string cost = words[words.Length - 1];
        Expect("run " + task + " " + elapsed.Count + " " + cost);
        clock += new Nanos(long.Parse(cost));
        Runs++;
        Next();
        while (PlayEvent())
        {
        }
        if (words[0] == "throw")
        {
            Next();
            hasThrown = true;
            throw new Interruption();
        }
    }

    /// <summary>Makes a birth, a death or a request. Returns false if the line is something else.</summary>
    private bool PlayEvent()
    {
        bool isAlive = true;
        switch (words[0])
        {
            case "birth":
                ids.Add(tasks.Add(ids.Count));
                break;
            case "death":
                isAlive = tasks.Remove(ids[(int)Number(1)]);
                break;
            case "request":
                isAlive = tasks.Request(ids[(int)Number(1)]);
                break;
            default:
                return false;
        }
        if (!isAlive)
        {
            throw Unlike("a dead task");
        }
        Next();
        return true;
    }

    private void Next()
    {
        string text = script.ReadLine();
        words = text == null ? null : text.Split(' ');
        line++;
    }

    private long Number(int word) => long.Parse(words[word]);

    private void Expect(string actual)
    {
        if (string.Join(" ", words) != actual)
        {
            throw Unlike("'" + actual + "'");
        }
    }

    private Failure Unlike(string actual)
    {
        string expected = string.Join(" ", words);
        return new Failure("line " + line + ", " + name + ": expected '" + expected + "', but there is " + actual);
    }
}

internal static class Checks
{
    private const int Tasks = 200;

    private static readonly Nanos Frame = Nanos.FromMilliseconds(16);

    /// <summary>Tests that bad arguments are refused, and that ids of dead or foreign tasks are recognised.</summary>
    public static void Arguments()
    {
        Throws<ArgumentNullException>(() => new Timeslicer<int>(null));
        Throws<ArgumentNullException>(() => new Timeslicer<int>(new EveryFrame(), null));
        Throws<ArgumentOutOfRangeException>(() => new MaxPerFrame(0));
        Throws<ArgumentOutOfRangeException>(() => new StaggerGroups(-1));
        Throws<ArgumentOutOfRangeException>(() => new BalancedSlots(Frame, 0));
        Throws<ArgumentOutOfRangeException>(() => new BalancedSlots(Nanos.FromSeconds(1e9), 600));
        Throws<ArgumentOutOfRangeException>(() => new Nanos(-1));
        foreach (double seconds in new[] { -1, 1e10, double.NaN, double.PositiveInfinity })
        {
            Throws<ArgumentOutOfRangeException>(() => Nanos.FromSeconds(seconds));
        }
        float sixtieth = 1;
        sixtieth /= 60;
        True(Nanos.FromSeconds(sixtieth).Count == 16666668, "the seconds of a float are rounded to nanoseconds");
        True(Nanos.MaxValue + Frame == Nanos.MaxValue, "a sum is at most the longest span");
        True(Nanos.Zero - Frame == Nanos.Zero, "a difference is at least zero");

        var strategy = new EveryFrame();
        var tasks = new Timeslicer<int>(strategy);
        Throws<ArgumentException>(() => new Timeslicer<int>(strategy));
        Throws<ArgumentException>(() => tasks.SetStrategy(strategy));
        Throws<ArgumentNullException>(() => tasks.SetStrategy(null));
        Throws<ArgumentNullException>(() => tasks.Update(Frame, null));
        Throws<ArgumentNullException>(() => tasks.Update(Frame, null, (task, elapsed) => { }));
        Throws<ArgumentNullException>(() => tasks.Update(Frame, (task) => 1, null));

        TaskId guard = tasks.Add(7);
        int key;
        True(tasks.TryGet(guard, out key) && key == 7, "a living task has its key");
        tasks.Update(Frame, (ran, elapsed) => { });
        tasks.SetStrategy(new FixedInterval(Nanos.FromSeconds(1)));
        tasks.Update(Frame, (ran, elapsed) => { });
        True(tasks.Staleness(guard) == Frame, "a wait survives a change of strategy");
        True(tasks.Remove(guard) && tasks.Count == 0, "a task can be removed");
        tasks.Add(8);
        var large = new Timeslicer<int>(new EveryFrame());
        TaskId foreign = large.Add(0);
        for (int nth = 0; nth < 100; nth++)
        {
            foreign = large.Add(nth);
        }
        foreach (TaskId gone in new[] { guard, foreign, default(TaskId) })
        {
            bool isKnown = tasks.TryGet(gone, out key) || tasks.Remove(gone) || tasks.Request(gone);
            True(!isKnown && tasks.Staleness(gone) == null, "a task that is gone is unknown");
        }
    }

    /// <summary>
    /// Tests that a running task may not begin another update or change the strategy, and that the Timeslicer stays
    /// usable.
    /// </summary>
    public static void CallsInsideRuns()
    {
        var tasks = new Timeslicer<int>(new EveryFrame());
        tasks.Add(0);
        Action<int, Nanos> update = (task, elapsed) => tasks.Update(Frame, (other, time) => { });
        Throws<InvalidOperationException>(() => tasks.Update(Frame, update));
        Action<int, Nanos> change = (task, elapsed) => tasks.SetStrategy(new EveryFrame());
        Throws<InvalidOperationException>(() => tasks.Update(Frame, change));
        True(tasks.Update(Frame, (task, elapsed) => { }) == 1, "the task runs again");
    }

    /// <summary>
    /// Tests that the exception of a task comes out of the update, and that every task runs nevertheless.
    /// </summary>
    public static void Exception(int number)
    {
        var tasks = new Timeslicer<int>(Cases.Strategy(number), () => Nanos.Zero);
        var ids = new TaskId[10];
        var runs = new int[10];
        for (int task = 0; task < ids.Length; task++)
        {
            ids[task] = tasks.Add(task);
        }
        for (int nth = 0; nth < 1000; nth++)
        {
            foreach (TaskId id in ids)
            {
                tasks.Request(id);
            }
            bool wasThrown = false;
            bool throws = false;
            try
            {
                tasks.Update(Frame, (task, elapsed) =>
                {
                    runs[task]++;
                    throws = task == 3;
                    if (throws)
                    {
                        throw new Interruption();
                    }
                });
            }
            catch (Interruption)
            {
                wasThrown = true;
            }
            True(wasThrown == throws, "the update throws what a task throws");
        }
        foreach (int count in runs)
        {
            True(count > 0, "every task of case " + number + " runs");
        }
    }

    /// <summary>Tests that the exception of a weight comes out of the update, and that the next ones continue.</summary>
    public static void ExceptionOfWeight(int number)
    {
        var tasks = new Timeslicer<int>(Cases.Strategy(number), () => Nanos.Zero);
        var runs = new int[10];
        for (int task = 0; task < runs.Length; task++)
        {
            tasks.Request(tasks.Add(task));
        }
        int asked = 0;
        int thrown = 0;
        for (int nth = 0; nth < 1000; nth++)
        {
            bool throws = false;
            try
            {
                tasks.Update(
                    Frame,
                    (task) =>
                    {
                        True(!throws, "the update ends after an exception");
                        throws = ++asked % 101 == 0;
                        if (throws)
                        {
                            throw new Interruption();
                        }
                        return 1;
                    },
                    (task, elapsed) => runs[task]++);
            }
            catch (Interruption)
            {
                True(throws, "only a weight throws");
                thrown++;
            }
        }
        True(thrown == asked / 101, "the update throws what a weight throws");
        foreach (int count in runs)
        {
            True(count > 0, "every task of case " + number + " runs");
        }
    }

    /// <summary>Tests that an update with a delta of zero does nothing, whatever is due or requested.</summary>
    public static void Pause(int number)
    {
        var played = new List<string>[2];
        for (int pauses = 0; pauses < 2; pauses++)
        {
            Nanos clock = Nanos.Zero;
            var runs = new List<string>();
            var tasks = new Timeslicer<int>(Cases.Strategy(number), () => clock);
            for (int update = 0; update < 300; update++)
            {
                tasks.Request(tasks.Add(update));
                for (int pause = 0; pause < 3 * pauses; pause++)
                {
                    int backlog = tasks.Backlog;
                    True(tasks.Update(Nanos.Zero, (task, elapsed) => runs.Add("paused")) == 0, "a pause runs nothing");
                    True(tasks.Backlog == backlog, "a pause changes nothing");
                }
                tasks.Update(Frame, (task) => 1.0 / (1 + task), (task, elapsed) =>
                {
                    clock += new Nanos(20000);
                    runs.Add(update + " " + task + " " + elapsed);
                });
            }
            played[pauses] = runs;
        }
        bool isEqual = string.Join("\n", played[0]) == string.Join("\n", played[1]);
        True(isEqual && played[0].Count > 0, "a pause changes nothing in case " + number);
    }

    /// <summary>Tests that a budget is measured with the machine's clock unless there is another clock.</summary>
    public static void MachineClock()
    {
        var tasks = new Timeslicer<int>(new TimeBudget(Nanos.FromMilliseconds(2)));
        for (int task = 0; task < 10; task++)
        {
            tasks.Request(tasks.Add(task));
        }
        int runs = tasks.Update(Frame, (task, elapsed) => System.Threading.Thread.Sleep(1));
        True(runs >= 1 && runs <= 2 && tasks.Backlog == 10 - runs, "the budget ends the update");
    }

    /// <summary>
    /// Tests that updates allocate no memory, not even with births, deaths and requests by running tasks, once their
    /// number is steady.
    /// </summary>
    public static void Allocations(int number)
    {
        const int warmUp = 10000;
        const int updates = 2000;
        Nanos clock = Nanos.Zero;
        var cost = new Nanos(500);
        var tasks = new Timeslicer<int>(Cases.Strategy(number), () => clock);
        var ids = new TaskId[Tasks];
        for (int task = 0; task < Tasks; task++)
        {
            ids[task] = tasks.Add(task);
        }
        Action<int, Nanos> run = (task, elapsed) =>
        {
            clock += cost;
            tasks.Request(ids[(task + 1) % Tasks]);
        };
        Func<int, double> weight = (task) => 1.0 / (1 + task);
        long before = 0;
        for (int nth = -warmUp; nth < updates; nth++)
        {
            if (nth == 0)
            {
                before = GC.GetAllocatedBytesForCurrentThread();
            }
            int task = (nth + warmUp) % Tasks;
            tasks.Remove(ids[task]);
            ids[task] = tasks.Add(task);
            tasks.Request(ids[task]);
            tasks.Update(Frame, weight, run);
        }
        // An array may still grow one last time.
        long allocated = GC.GetAllocatedBytesForCurrentThread() - before;
        True(allocated < updates, "case " + number + " allocates nothing, not " + allocated + " bytes");
    }

    /// <summary>
    /// Returns the number of bytes that the first updates of a game allocate, with births, deaths and requests between
    /// them.
    /// </summary>
    public static long FirstUpdates(int number)
    {
        Nanos clock = Nanos.Zero;
        var random = new Random(1);
        var tasks = new Timeslicer<int>(Cases.Strategy(number), () => clock);
        var ids = new TaskId[10 * Tasks];
        Action<int, Nanos> run = (task, elapsed) => clock += new Nanos(200 + 731 * task % 100000);
        int updates = 0;
        Func<int, double> weight = (task) => 1.0 / (1 + (task + updates) % 100);
        long bytes = 0;
        for (; updates < 1000; updates++)
        {
            for (int change = 0; change < (updates == 0 ? ids.Length : random.Next(20)); change++)
            {
                int task = random.Next(ids.Length);
                tasks.Remove(ids[task]);
                ids[task] = tasks.Add(task);
                tasks.Request(ids[random.Next(ids.Length)]);
            }
            long before = GC.GetAllocatedBytesForCurrentThread();
            tasks.Update(Frame, weight, run);
            bytes += GC.GetAllocatedBytesForCurrentThread() - before;
        }
        return bytes;
    }

    /// <summary>
    /// Tests that Unity can import the package in this repository: each file has a meta file, without which a package
    /// from a git URL is not imported, and the version is the crate's.
    /// </summary>
    public static void UnityPackage(string repository)
    {
        string folder = Path.Combine(repository, "ports", "csharp");
        var guids = new HashSet<string>();
        foreach (string file in Directory.GetFiles(folder))
        {
            if (!file.EndsWith(".meta"))
            {
                string guid = File.ReadAllLines(file + ".meta")[1];
                True(guid.StartsWith("guid: ") && guid.Length == 38 && guids.Add(guid), file + " has an id of its own");
            }
        }
        foreach (string inner in Directory.GetDirectories(folder))
        {
            True(inner.EndsWith("~"), "Unity does not import the folder " + inner);
        }
        string package = File.ReadAllText(Path.Combine(folder, "package.json"));
        string version = package.Split(new[] { "\"version\": \"" }, StringSplitOptions.None)[1].Split('"')[0];
        string crate = File.ReadAllText(Path.Combine(repository, "timeslicer", "Cargo.toml"));
        True(crate.Contains("\nversion = \"" + version + "\""), "the package has the version of the crate");
    }

    private static void Throws<T>(Action action)
        where T : Exception
    {
        try
        {
            action();
        }
        catch (T)
        {
            return;
        }
        throw new Failure("expected: " + typeof(T).Name);
    }

    public static void True(bool isTrue, string what)
    {
        if (!isTrue)
        {
            throw new Failure("does not hold: " + what);
        }
    }
}
