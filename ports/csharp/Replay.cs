// Tests Timeslicer.cs: replays a script that was recorded with the Rust crate, and compares every run. The script is
// made by tests/program/csharp, which also makes the class Cases and compiles all three files.

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
            foreach (int number in Cases.Defaults)
            {
                Checks.Exception(number);
                Checks.Allocations(number);
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
                    name = words[2];
                    ids.Clear();
                    tasks = new Timeslicer<int>(Cases.Strategy((int)Number(1)), () => clock);
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
        int runsBefore = Runs;
        int runs;
        try
        {
            runs = tasks.Update(delta, Run);
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
    /// Tests that updates allocate no memory, not even with births, deaths and requests, once their number is steady.
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
            tasks.Update(Frame, run);
        }
        // An array may still grow one last time.
        long allocated = GC.GetAllocatedBytesForCurrentThread() - before;
        True(allocated < updates, "case " + number + " allocates nothing, not " + allocated + " bytes");
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

    private static void True(bool isTrue, string what)
    {
        if (!isTrue)
        {
            throw new Failure("does not hold: " + what);
        }
    }
}
