// Timeslicer spreads the work of many game entities over frames, because decisions, sensors and path queries do not
// have to run in every frame. It decides which tasks run in each update, for ten entities or a million.
//
// This file contains everything. Copy it into a Unity project (2021 or later) or into a Godot project with .NET. It is
// C# 6 and needs nothing but System, and an update allocates no memory. It runs the same tasks in the same order as the
// Rust crate timeslicer, whose strategies Timeslice Lab shows and measures. License: MIT or Apache 2.0, at your option.
//
// How a game uses it:
//
//     using System;
//     using Timeslicing;
//
//     var strategy = new FixedInterval(Nanos.FromSeconds(0.5));
//     var thinking = new Timeslicer<Guard>(strategy);
//
//     // Keep this in a field, so that updates allocate nothing.
//     Action<Guard, Nanos> think =
//         (npc, elapsed) => npc.Think(elapsed.Seconds);
//
//     TaskId task = thinking.Add(guard); // when a guard is born
//
//     // in each frame; delta is Time.deltaTime in Unity
//     thinking.Update(Nanos.FromSeconds(delta), think);
//
//     thinking.Remove(task); // when it dies

using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.Runtime.ExceptionServices;
using Timeslicing.Parts;

namespace Timeslicing
{
    /// <summary>
    /// The tasks of a game, and the strategy that spreads them over updates. A key is whatever names an entity in the
    /// game, such as a reference to a guard.
    /// </summary>
    /// <remarks>
    /// A running task may add tasks, remove tasks (itself included) and request runs. A removed task does not run
    /// again, not even later in the same update. The strategy is told of all these events after the update, in the
    /// order in which they occurred, so a newborn task runs in the next update at the earliest. A running task must not
    /// call <see cref="Update"/> or <see cref="SetStrategy"/>. Use a Timeslicer from one thread at a time.
    /// </remarks>
    public sealed class Timeslicer<TKey>
    {
        private readonly Runner runner;
        private readonly Tasks tasks = new Tasks();
        private readonly List<TaskEvent> events = new List<TaskEvent>();
        private TKey[] keys = new TKey[16];
        private Strategy strategy;

        /// <summary>Creates a Timeslicer without tasks. Budgets are measured with a <see cref="Stopwatch"/>.</summary>
        /// <exception cref="ArgumentNullException">The strategy is null.</exception>
        /// <exception cref="ArgumentException">The strategy already has a Timeslicer.</exception>
        public Timeslicer(Strategy strategy)
            : this(strategy, MachineClock.Read)
        {
        }

        /// <summary>
        /// Creates a Timeslicer without tasks that measures budgets with another clock, such as a simulated one for
        /// tests and replays. The clock returns the time since any fixed moment, and must not throw.
        /// </summary>
        /// <exception cref="ArgumentNullException">The strategy or the clock is null.</exception>
        /// <exception cref="ArgumentException">The strategy already has a Timeslicer.</exception>
        public Timeslicer(Strategy strategy, Func<Nanos> clock)
        {
            if (clock == null)
            {
                throw new ArgumentNullException(nameof(clock));
            }
            Strategy.Take(strategy);
            this.strategy = strategy;
            runner = new Runner(this, clock);
        }

        /// <summary>The number of living tasks.</summary>
        public int Count => tasks.Count;

        /// <summary>The number of tasks that are requested or due and have not run yet.</summary>
        public int Backlog => strategy.IsOnRequest ? runner.Requests.Count : strategy.Backlog;

        /// <summary>Adds the task of a newborn entity. The elapsed time of its first run counts from now.</summary>
        public TaskId Add(TKey key)
        {
            TaskId task = tasks.Add(runner.Now);
            Table.Fit(ref keys, task.Index);
            keys[task.Index] = key;
            Report(EventKind.Birth, task);
            return task;
        }

        /// <summary>Removes the task of a dead entity. Returns false if the task was removed before.</summary>
        public bool Remove(TaskId task)
        {
            if (!tasks.Remove(task))
            {
                return false;
            }
            keys[task.Index] = default(TKey);
            Report(EventKind.Death, task);
            return true;
        }

        /// <summary>Returns the key of a task. Returns false if the task has been removed.</summary>
        public bool TryGet(TaskId task, out TKey key)
        {
            bool isAlive = tasks.Contains(task);
            key = isAlive ? keys[task.Index] : default(TKey);
            return isAlive;
        }

        /// <summary>
        /// Requests a run. A strategy on request runs a task once for all the requests since its last run. The other
        /// strategies run every task anyway. Returns false if the task has been removed.
        /// </summary>
        public bool Request(TaskId task)
        {
            if (!tasks.Contains(task))
            {
                return false;
            }
            Report(EventKind.Request, task);
            return true;
        }

        /// <summary>
        /// Returns the game time since a task's last run, or since its birth if it has not run yet. Returns null if the
        /// task has been removed.
        /// </summary>
        public Nanos? Staleness(TaskId task) =>
            tasks.Contains(task) ? runner.Now - tasks.LastRun(task) : (Nanos?)null;

        /// <summary>
        /// Switches to another strategy. The time since each task's last run is kept, and so are open requests, in
        /// their order. A strategy that runs tasks in turn begins with the stalest task.
        /// </summary>
        /// <exception cref="ArgumentNullException">The strategy is null.</exception>
        /// <exception cref="ArgumentException">The strategy already has a Timeslicer.</exception>
        /// <exception cref="InvalidOperationException">A running task calls this.</exception>
        public void SetStrategy(Strategy strategy)
        {
            RefuseDuringUpdate("SetStrategy");
            Strategy.Take(strategy);
            this.strategy = strategy;
            foreach (TaskId task in tasks.StalestFirst())
            {
                strategy.Insert(task);
            }
        }

        /// <summary>
        /// Advances the game time by <paramref name="delta"/> and runs the due tasks. Calls <paramref name="run"/> with
        /// the key of each task that runs, and with the game time since that task's last run. Returns the number of
        /// runs. With a delta of zero, as in a paused game, nothing runs and nothing changes.
        /// </summary>
        /// <remarks>
        /// If <paramref name="run"/> throws an exception, the task counts as having run, and this method throws the
        /// same exception. The next update continues with the tasks that have not run.
        /// </remarks>
        /// <exception cref="ArgumentNullException"><paramref name="run"/> is null.</exception>
        /// <exception cref="InvalidOperationException">A running task calls this.</exception>
        public int Update(Nanos delta, Action<TKey, Nanos> run) => Update(delta, (key) => 1, run);

        /// <summary>
        /// Works like <see cref="Update(Nanos, Action{TKey, Nanos})"/>, and tells a strategy by significance how much
        /// each task matters. A weight of 1 is the most important. Smaller weights count as 0, larger ones as 1.
        /// </summary>
        /// <remarks>
        /// The strategy asks for the weights of the tasks that run, and in each update for those of at least 64 more.
        /// So it notices new weights without looking at all tasks. If <paramref name="weight"/> throws an exception, no
        /// more tasks run in this update, which throws the same exception.
        /// </remarks>
        /// <exception cref="ArgumentNullException">An argument is null.</exception>
        /// <exception cref="InvalidOperationException">A running task calls this.</exception>
        public int Update(Nanos delta, Func<TKey, double> weight, Action<TKey, Nanos> run)
        {
            if (weight == null)
            {
                throw new ArgumentNullException(nameof(weight));
            }
            if (run == null)
            {
                throw new ArgumentNullException(nameof(run));
            }
            RefuseDuringUpdate("Update");
            if (delta == Nanos.Zero)
            {
                return 0;
            }
            runner.Begin(delta, weight, run);
            try
            {
                strategy.Update(runner);
            }
            finally
            {
                runner.Finish();
                foreach (TaskEvent reported in events)
                {
                    Tell(reported);
                }
                events.Clear();
            }
            runner.ThrowFailure();
            return runner.Runs;
        }

        private void Report(EventKind kind, TaskId task)
        {
            var reported = new TaskEvent { Kind = kind, Task = task };
            if (runner.IsUpdating)
            {
                events.Add(reported);
            }
            else
            {
                Tell(reported);
            }
        }

        private void Tell(TaskEvent reported)
        {
            switch (reported.Kind)
            {
                case EventKind.Birth:
                    strategy.Insert(reported.Task);
                    break;
                case EventKind.Death:
                    strategy.Remove(reported.Task);
                    runner.Requests.Remove(reported.Task);
                    break;
                default:
                    runner.Requests.Push(reported.Task);
                    break;
            }
        }

        private void RefuseDuringUpdate(string method)
        {
            if (runner.IsUpdating)
            {
                throw new InvalidOperationException("A running task must not call " + method + ".");
            }
        }

        /// <summary>Calls the game's method with the keys of the tasks that run.</summary>
        private sealed class Runner : UpdateContext
        {
            private readonly Timeslicer<TKey> owner;
            private Func<TKey, double> weight;
            private Action<TKey, Nanos> run;

            public Runner(Timeslicer<TKey> owner, Func<Nanos> clock)
                : base(owner.tasks, clock)
            {
                this.owner = owner;
            }

            public bool IsUpdating => run != null;

            public void Begin(Nanos delta, Func<TKey, double> weight, Action<TKey, Nanos> run)
            {
                this.weight = weight;
                this.run = run;
                Begin(delta);
            }

            public void Finish()
            {
                weight = null;
                run = null;
            }

            protected override double Weigh(TaskId task) => weight(owner.keys[task.Index]);

            protected override void Execute(TaskId task, Nanos elapsed) => run(owner.keys[task.Index], elapsed);
        }
    }

    /// <summary>The id of a task. Ids are never reused, and default(TaskId) is not the id of any task.</summary>
    public struct TaskId : IEquatable<TaskId>
    {
        /// <summary>Index into arrays of data about tasks. The index of a dead task may be reused.</summary>
        internal readonly int Index;

        /// <summary>Number of tasks that have had this index, including this one.</summary>
        internal readonly int Generation;

        internal TaskId(int index, int generation)
        {
            Index = index;
            Generation = generation;
        }

        /// <summary>Returns true if both ids belong to the same task.</summary>
        public bool Equals(TaskId other) => Index == other.Index && Generation == other.Generation;

        /// <summary>Returns true if the other object is the id of the same task.</summary>
        public override bool Equals(object other) => other is TaskId && Equals((TaskId)other);

        /// <summary>Returns a hash code, for use as a key.</summary>
        public override int GetHashCode() => unchecked(Index * 31 + Generation);

        /// <summary>Returns the index and the generation, for logs.</summary>
        public override string ToString() => Index + "/" + Generation;
    }

    /// <summary>
    /// A time span in whole nanoseconds, from zero to 292 years. Sums are exact, so nothing drifts, however long the
    /// game runs. (A TimeSpan counts in steps of 100 ns, and older runtimes, such as Unity's, round its FromSeconds to
    /// whole milliseconds: at 60 frames per second, the game time would be wrong by 2 %.)
    /// </summary>
    public struct Nanos : IEquatable<Nanos>, IComparable<Nanos>
    {
        /// <summary>The span of zero length.</summary>
        public static readonly Nanos Zero = new Nanos(0);

        /// <summary>The longest span, 292 years.</summary>
        public static readonly Nanos MaxValue = new Nanos(long.MaxValue);

        /// <summary>The number of nanoseconds.</summary>
        public readonly long Count;

        /// <summary>Creates a span from a number of nanoseconds.</summary>
        /// <exception cref="ArgumentOutOfRangeException">The number is negative.</exception>
        public Nanos(long count)
        {
            if (count < 0)
            {
                throw new ArgumentOutOfRangeException(nameof(count), count, "A span of time must not be negative.");
            }
            Count = count;
        }

        /// <summary>Creates a span from a number of seconds, rounded to the nearest nanosecond.</summary>
        /// <exception cref="ArgumentOutOfRangeException">
        /// The number is negative, not a number, or longer than 292 years.
        /// </exception>
        public static Nanos FromSeconds(double seconds) => Rounded(seconds * 1e9, nameof(seconds), seconds);

        /// <summary>
        /// Creates a span from a number of milliseconds. See <see cref="FromSeconds"/> for rounding and exceptions.
        /// </summary>
        public static Nanos FromMilliseconds(double milliseconds) =>
            Rounded(milliseconds * 1e6, nameof(milliseconds), milliseconds);

        /// <summary>
        /// Creates a span from a number of microseconds. See <see cref="FromSeconds"/> for rounding and exceptions.
        /// </summary>
        public static Nanos FromMicroseconds(double microseconds) =>
            Rounded(microseconds * 1e3, nameof(microseconds), microseconds);

        /// <summary>The span in seconds.</summary>
        public double Seconds => Count / 1e9;

        private static Nanos Rounded(double nanos, string name, double value)
        {
            // The comparison is false for NaN.
            if (!(nanos >= 0 && nanos < long.MaxValue))
            {
                const string allowed = "A span of time must be from zero to 292 years.";
                throw new ArgumentOutOfRangeException(name, value, allowed);
            }
            return Rounded(nanos);
        }

        internal static Nanos Rounded(double nanos)
        {
            long whole = (long)nanos;
            return new Nanos(nanos - whole >= 0.5 ? whole + 1 : whole);
        }

        /// <summary>Adds two spans. The sum saturates at <see cref="MaxValue"/>.</summary>
        public static Nanos operator +(Nanos one, Nanos other) =>
            one.Count > long.MaxValue - other.Count ? MaxValue : new Nanos(one.Count + other.Count);

        /// <summary>Subtracts a span from another. The difference saturates at zero.</summary>
        public static Nanos operator -(Nanos one, Nanos other) => new Nanos(Math.Max(0, one.Count - other.Count));

        /// <summary>Multiplies a span by a number of zero or more. The product saturates.</summary>
        internal Nanos Times(long factor) =>
            factor > 0 && Count > long.MaxValue / factor ? MaxValue : new Nanos(Count * factor);

        /// <summary>Returns true if the first span is shorter.</summary>
        public static bool operator <(Nanos one, Nanos other) => one.Count < other.Count;

        /// <summary>Returns true if the first span is longer.</summary>
        public static bool operator >(Nanos one, Nanos other) => one.Count > other.Count;

        /// <summary>Returns true if the first span is shorter or equal.</summary>
        public static bool operator <=(Nanos one, Nanos other) => one.Count <= other.Count;

        /// <summary>Returns true if the first span is longer or equal.</summary>
        public static bool operator >=(Nanos one, Nanos other) => one.Count >= other.Count;

        /// <summary>Returns true if both spans are equal.</summary>
        public static bool operator ==(Nanos one, Nanos other) => one.Count == other.Count;

        /// <summary>Returns true if the spans differ.</summary>
        public static bool operator !=(Nanos one, Nanos other) => one.Count != other.Count;

        /// <summary>Compares two spans by length, for sorting.</summary>
        public int CompareTo(Nanos other) => Count.CompareTo(other.Count);

        /// <summary>Returns true if both spans are equal.</summary>
        public bool Equals(Nanos other) => Count == other.Count;

        /// <summary>Returns true if the other object is a span of the same length.</summary>
        public override bool Equals(object other) => other is Nanos && Equals((Nanos)other);

        /// <summary>Returns a hash code, for use as a key.</summary>
        public override int GetHashCode() => Count.GetHashCode();

        /// <summary>Returns the number of nanoseconds with its unit.</summary>
        public override string ToString() => Count + " ns";
    }

    /// <summary>
    /// Decides which tasks run in an update. A strategy belongs to one Timeslicer. To write your own strategy, derive a
    /// class in the same project.
    /// </summary>
    public abstract class Strategy
    {
        private bool isTaken;

        /// <summary>Adds a newborn task. The Timeslicer calls this once for each task.</summary>
        internal abstract void Insert(TaskId task);

        /// <summary>Removes a task, which was added before.</summary>
        internal abstract void Remove(TaskId task);

        /// <summary>Whether the strategy runs only the tasks of <see cref="UpdateContext.Requests"/>.</summary>
        internal virtual bool IsOnRequest => false;

        /// <summary>
        /// Runs the due tasks, each at most once. If the update is stopped, the next update must continue with the
        /// tasks that did not run. No task is added or removed during an update.
        /// </summary>
        internal abstract void Update(UpdateContext context);

        /// <summary>
        /// The number of tasks that are due and have not run yet. This is not used if the strategy runs tasks on
        /// request.
        /// </summary>
        internal virtual int Backlog => 0;

        internal static void Take(Strategy strategy)
        {
            if (strategy == null)
            {
                throw new ArgumentNullException(nameof(strategy));
            }
            if (strategy.isTaken)
            {
                throw new ArgumentException("The strategy already has a Timeslicer. Create another.", nameof(strategy));
            }
            strategy.isTaken = true;
        }

        internal static int AtLeastOne(int value, string name)
        {
            if (value < 1)
            {
                throw new ArgumentOutOfRangeException(name, value, "There must be at least one.");
            }
            return value;
        }
    }

    /// <summary>Runs every task in every update.</summary>
    public sealed class EveryFrame : Strategy
    {
        private readonly TaskSet tasks = new TaskSet();

        internal override void Insert(TaskId task) => tasks.Insert(task);

        internal override void Remove(TaskId task) => tasks.Remove(task);

        internal override void Update(UpdateContext context) => tasks.RunRound(context);

        internal override int Backlog => tasks.Backlog;
    }

    /// <summary>
    /// Runs all tasks in one update, then none until the interval has passed. The wait is shortened by the lateness of
    /// the update, so rounds are one interval apart on average. Rounds that a long delta has skipped are lost.
    /// </summary>
    public sealed class AllAtOnce : Strategy
    {
        private readonly TaskSet tasks = new TaskSet();
        private readonly Nanos interval;
        private Nanos wait;

        /// <summary>
        /// Creates a strategy that begins with the first update. With an interval of zero, all tasks run in every
        /// update.
        /// </summary>
        public AllAtOnce(Nanos interval)
        {
            this.interval = interval;
        }

        internal override void Insert(TaskId task) => tasks.Insert(task);

        internal override void Remove(TaskId task) => tasks.Remove(task);

        internal override void Update(UpdateContext context)
        {
            if (tasks.IsInRound)
            {
                wait -= context.Delta; // not below zero
            }
            else if (context.Delta < wait)
            {
                wait -= context.Delta;
                return;
            }
            else
            {
                long late = (context.Delta - wait).Count;
                wait = interval - new Nanos(interval == Nanos.Zero ? 0 : late % interval.Count);
            }
            tasks.RunRound(context);
        }

        internal override int Backlog => tasks.Backlog;
    }

    /// <summary>Runs the tasks in turn, up to a fixed number in each update. No task runs twice in one update.</summary>
    public sealed class MaxPerFrame : Strategy
    {
        private readonly Ring tasks = new Ring();
        private readonly int maxTasks;
        private int waiting;

        /// <summary>Creates a strategy that runs at most this number of tasks in each update.</summary>
        /// <exception cref="ArgumentOutOfRangeException">The number is less than one.</exception>
        public MaxPerFrame(int maxTasks)
        {
            this.maxTasks = AtLeastOne(maxTasks, nameof(maxTasks));
        }

        internal override void Insert(TaskId task) => tasks.Insert(task);

        internal override void Remove(TaskId task) => tasks.Remove(task);

        internal override void Update(UpdateContext context)
        {
            int count = Math.Min(maxTasks, tasks.Count);
            waiting = count - tasks.RunTurns(context, count);
        }

        internal override int Backlog => Math.Min(waiting, tasks.Count);
    }

    /// <summary>
    /// Runs just enough tasks in each update to run every task once per interval. Each update adds tasks * delta /
    /// interval to the number of owed runs. The whole part is the number of tasks that run now, in turn; the fraction
    /// is kept for the next update. No more than one round is ever owed, so even a long delta runs no task twice.
    /// </summary>
    public sealed class FixedInterval : Strategy
    {
        private readonly Ring tasks = new Ring();
        private readonly Nanos interval;

        /// <summary>Number of owed runs.</summary>
        private int owed;

        /// <summary>Owed fraction of a run, multiplied by the interval in nanoseconds.</summary>
        private long fraction;

        private int waiting;

        private int catchUp;

        /// <summary>The latest deltas that were not zero, and their number.</summary>
        private readonly long[] recent = new long[5];
        private int recentCount;

        /// <summary>
        /// Creates a strategy that runs each task once per interval. With an interval of zero, all tasks run in every
        /// update.
        /// </summary>
        public FixedInterval(Nanos interval)
        {
            this.interval = interval;
        }

        /// <summary>
        /// Limits an update to this many times the usual number of runs, so that it is not long after a stall. The next
        /// updates run the rest. With 1, they hardly catch up, and fall behind if deltas are uneven. Zero lifts the limit.
        /// The usual number belongs to the median of the last five deltas.
        /// </summary>
        public FixedInterval WithCatchUp(int times)
        {
            catchUp = times;
            return this;
        }

        internal override void Insert(TaskId task) => tasks.Insert(task);

        internal override void Remove(TaskId task) => tasks.Remove(task);

        internal override void Update(UpdateContext context)
        {
            long delta = context.Delta.Count;
            AddOwed(delta, tasks.Count);
            if (delta > 0)
            {
                Array.Copy(recent, 0, recent, 1, recent.Length - 1);
                recent[0] = delta;
                recentCount = Math.Min(recentCount + 1, recent.Length);
            }
            int taken = tasks.RunTurns(context, Math.Min(owed, Most()));
            waiting = owed - taken;
            owed = waiting;
        }

        /// <summary>Returns the maximum number of tasks to run in this update.</summary>
        private int Most()
        {
            long usual = catchUp > 0 ? MedianDelta() : 0;
            if (catchUp <= 0 || usual >= interval.Count)
            {
                return tasks.Count;
            }
            ulong rest;
            long least = Divided(tasks.Count, usual, out rest);
            least += rest > 0 ? 1 : 0;
            long most = Divided((long)tasks.Count * catchUp, usual, out rest);
            return (int)Math.Min(tasks.Count, Math.Max(least, most));
        }

        /// <summary>Returns the median of the latest deltas, or zero if there are none. Sorting would allocate.</summary>
        private long MedianDelta()
        {
            long median = 0;
            for (int index = 0; index < recentCount; index++)
            {
                int below = 0;
                int equal = 0;
                for (int other = 0; other < recentCount; other++)
                {
                    below += recent[other] < recent[index] ? 1 : 0;
                    equal += recent[other] == recent[index] ? 1 : 0;
                }
                int middle = (recentCount - 1) / 2;
                median = below <= middle && middle < below + equal ? recent[index] : median;
            }
            return median;
        }

        /// <summary>Adds tasks * delta / interval to the number of owed runs.</summary>
        private void AddOwed(long delta, int tasks)
        {
            if (delta >= interval.Count)
            {
                owed = tasks;
                fraction = 0;
                return;
            }
            ulong rest;
            long whole = owed + Divided(tasks, delta, out rest);
            rest += (ulong)fraction;
            Carry(ref whole, ref rest, (ulong)interval.Count);
            bool isRound = whole >= tasks; // at most one round is owed
            owed = isRound ? tasks : (int)whole;
            fraction = isRound ? 0 : (long)rest;
        }

        /// <summary>
        /// Returns count * delta / interval, for a delta below the interval. The product may exceed 64 bits, so this is
        /// a long division, which adds delta / interval for each binary digit of the count.
        /// </summary>
        private long Divided(long count, long delta, out ulong rest)
        {
            long whole = 0;
            rest = 0;
            ulong divisor = (ulong)interval.Count;
            for (int digit = 62; digit >= 0; digit--)
            {
                whole *= 2;
                rest *= 2;
                Carry(ref whole, ref rest, divisor);
                rest += (count >> digit) % 2 == 1 ? (ulong)delta : 0;
                Carry(ref whole, ref rest, divisor);
            }
            return whole;
        }

        internal static void Carry(ref long whole, ref ulong rest, ulong divisor)
        {
            if (rest >= divisor)
            {
                rest -= divisor;
                whole++;
            }
        }

        internal override int Backlog => Math.Min(waiting, tasks.Count);
    }

    /// <summary>
    /// Splits the tasks into groups and runs the next group in each update. A newborn task joins the first of the
    /// smallest groups. A dead task leaves a gap in its group, which is closed after the group's next turn.
    /// </summary>
    public sealed class StaggerGroups : Strategy
    {
        /// <summary>
        /// The tasks of each group, in the order of their turns. A gap contains the default id, which no task has.
        /// </summary>
        private readonly List<TaskId>[] groups;

        /// <summary>The number of living tasks in each group.</summary>
        private readonly int[] living;

        /// <summary>The group of each task and its position there, by task index.</summary>
        private Place[] places = new Place[16];

        /// <summary>Index of the group that runs next.</summary>
        private int next;

        /// <summary>
        /// The number of tasks of the next group that have had their turn, because the last update was stopped.
        /// </summary>
        private int taken;

        /// <summary>
        /// The number of tasks of the next group when its turn began, or 0 if it has not begun. Tasks that are born
        /// during the turn have to wait for the next one. Otherwise, it might never end.
        /// </summary>
        private int end;

        /// <summary>Creates a strategy with this number of groups.</summary>
        /// <exception cref="ArgumentOutOfRangeException">The number is less than one.</exception>
        public StaggerGroups(int groups)
        {
            AtLeastOne(groups, nameof(groups));
            this.groups = new List<TaskId>[groups];
            living = new int[groups];
            for (int group = 0; group < groups; group++)
            {
                this.groups[group] = new List<TaskId>();
            }
        }

        internal override void Insert(TaskId task)
        {
            int smallest = 0;
            for (int group = 1; group < groups.Length; group++)
            {
                smallest = living[group] < living[smallest] ? group : smallest;
            }
            Table.Fit(ref places, task.Index);
            places[task.Index] = new Place { Group = smallest, Position = groups[smallest].Count };
            groups[smallest].Add(task);
            living[smallest]++;
        }

        internal override void Remove(TaskId task)
        {
            Place place = places[task.Index];
            groups[place.Group][place.Position] = default(TaskId);
            living[place.Group]--;
        }

        internal override void Update(UpdateContext context)
        {
            List<TaskId> group = groups[next];
            if (taken == 0)
            {
                end = group.Count;
            }
            while (taken < end)
            {
                if (!context.Run(group[taken])) // skips the gaps
                {
                    return;
                }
                taken++;
            }
            CloseGaps(group);
            taken = 0;
            end = 0;
            next = (next + 1) % groups.Length;
        }

        internal override int Backlog
        {
            get
            {
                int count = 0;
                for (int turn = taken; turn < end; turn++)
                {
                    count += groups[next][turn].Equals(default(TaskId)) ? 0 : 1;
                }
                return count;
            }
        }

        private void CloseGaps(List<TaskId> group)
        {
            int kept = 0;
            for (int position = 0; position < group.Count; position++)
            {
                TaskId task = group[position];
                if (!task.Equals(default(TaskId)))
                {
                    group[kept] = task;
                    places[task.Index].Position = kept;
                    kept++;
                }
            }
            group.RemoveRange(kept, group.Count - kept);
        }

        private struct Place
        {
            public int Group;
            public int Position;
        }
    }

    /// <summary>
    /// Runs every task once per interval, and makes every update take the same time, even if costs differ. The interval
    /// is cut into slots. A newborn task joins the slot with the smallest estimated cost, and each slot runs once per
    /// interval. An update that covers a part of a slot runs the same part of its cost. After a slot has run, tasks can
    /// move between it and the slot before it, if that levels their costs. So the time between two runs differs from
    /// the interval by at most one slot and one frame.
    /// </summary>
    public sealed class BalancedSlots : Strategy
    {
        /// <summary>Maximum number of runs per reading of the clock.</summary>
        private const int LargestBatch = 32;

        /// <summary>Runs that take less than this on average share a reading of the clock.</summary>
        private static readonly Nanos Cheap = new Nanos(1000);

        /// <summary>
        /// Smallest number of slots whose costs are levelled. With fewer slots, a slot has the same neighbour on both
        /// sides.
        /// </summary>
        private const int FewestSlotsToLevel = 4;

        /// <summary>Maximum number of tasks that move after a slot has run.</summary>
        private const int MostMoves = 4;

        /// <summary>Number of tasks that are candidates for a move.</summary>
        private const int Candidates = 64;

        /// <summary>
        /// Two slots count as level if their costs differ by less than the sum of the costs divided by this number.
        /// </summary>
        private const int Level = 64;

        private readonly Nanos interval;

        /// <summary>Length of a slot, rounded up to a whole nanosecond.</summary>
        private readonly Nanos slotTime;

        /// <summary>
        /// Length of a slot in nanoseconds * slots. In this unit, a slot is as long as the interval, and no fraction is
        /// lost. An interval of zero counts as one nanosecond.
        /// </summary>
        private readonly long length;

        /// <summary>Length of all slots together, in nanoseconds * slots.</summary>
        private readonly long round;

        private readonly Slot[] slots;
        private readonly Estimates estimates = new Estimates();
        private readonly TaskId[] batch = new TaskId[LargestBatch];
        private readonly TurnLists turns = new TurnLists();

        /// <summary>The turns that are candidates for a move, in order.</summary>
        private readonly int[] candidates = new int[Candidates];

        /// <summary>Positions in `candidates` of the turns that move.</summary>
        private readonly int[] moved = new int[MostMoves];

        /// <summary>Slot, estimated cost and last run of each task, by task index.</summary>
        private Member[] members = new Member[16];

        /// <summary>Number of tasks that have been inserted so far.</summary>
        private uint insertions;

        /// <summary>
        /// Cost of a member without an estimate. It is at least one, so that tasks without costs are spread, too.
        /// </summary>
        private long mean = 1;

        /// <summary>Index of the slot that runs now or next.</summary>
        private int current;

        /// <summary>Part of the current slot that has passed, in nanoseconds * slots.</summary>
        private long passed;

        /// <summary>Time that has passed and whose tasks have yet to run, in nanoseconds * slots.</summary>
        private long owed;

        /// <summary>
        /// Whether the current slot has begun to run. While it runs, `waiting` contains the tasks that wait for their
        /// turn. The other values are the cost of the slot when it began, the cost of the turns taken since, and the
        /// mean cost when it began.
        /// </summary>
        private bool hasBegun;
        private TurnLists.List waiting;
        private long roundTotal;
        private long roundDone;
        private long roundMean;

        /// <summary>Number of runs before the next reading of the clock.</summary>
        private int batchSize = 1;

        /// <summary>Last reading of the clock in this update.</summary>
        private Nanos? reading;

        private long updates;

        /// <summary>
        /// Creates a strategy that cuts the interval into slots. With an interval of zero, all tasks run in every
        /// update.
        /// </summary>
        /// <exception cref="ArgumentOutOfRangeException">
        /// There is no slot, or the interval is too long: interval * slots must be less than 70 years.
        /// </exception>
        public BalancedSlots(Nanos interval, int slots)
        {
            AtLeastOne(slots, nameof(slots));
            length = Math.Max(1, interval.Count);
            if (length > long.MaxValue / 4 / slots)
            {
                const string allowed = "The interval multiplied by the number of slots must be less than 70 years.";
                throw new ArgumentOutOfRangeException(nameof(interval), interval, allowed);
            }
            this.interval = interval;
            slotTime = new Nanos((interval.Count + slots - 1) / slots);
            round = length * slots;
            this.slots = new Slot[slots];
            for (int slot = 0; slot < slots; slot++)
            {
                this.slots[slot] = new Slot { Turns = new TurnLists.List() };
            }
            waiting = new TurnLists.List();
        }

        internal override void Insert(TaskId task)
        {
            unchecked
            {
                insertions++;
            }
            int first = (int)GoldenRatio.Part(insertions, slots.Length); // so that a few tasks are spread, too
            int least = first;
            for (int nth = 1; nth < slots.Length; nth++)
            {
                int slot = (first + nth) % slots.Length;
                if (Load(slot) < Load(least))
                {
                    least = slot;
                }
            }
            Table.Fit(ref members, task.Index);
            members[task.Index] = new Member { Task = task, Slot = least, Arrival = Arrival.Born };
            slots[least].Join(0);
            turns.AddLast(slots[least].Turns, turns.New(task));
            estimates.Reserve(task);
        }

        /// <summary>Removes a task. Its turn remains in the slot and is skipped.</summary>
        internal override void Remove(TaskId task)
        {
            slots[members[task.Index].Slot].Leave(members[task.Index].Load);
            members[task.Index] = default(Member);
            estimates.Forget(task);
        }

        internal override void Update(UpdateContext context)
        {
            updates++;
            reading = null;
            long time = round;
            if (interval > Nanos.Zero)
            {
                time = Math.Min(context.Delta.Count, interval.Count) * slots.Length;
            }
            owed = Math.Min(owed + time, round);
            // If an update runs nearly all slots, a task that moves could run too soon or too late.
            bool levels = 2 * owed <= round;
            while (owed > 0)
            {
                long part = Math.Min(owed, length - passed);
                RunSlot(context, passed + part);
                if (context.IsStopped)
                {
                    return;
                }
                passed += part;
                owed -= part;
                if (passed == length)
                {
                    EndRound();
                    if (levels)
                    {
                        LevelSlots();
                    }
                    passed = 0;
                    current = (current + 1) % slots.Length;
                }
            }
        }

        internal override int Backlog
        {
            get
            {
                if (owed == 0)
                {
                    return 0;
                }
                int count = hasBegun ? 0 : slots[current].Members;
                for (int turn = waiting.First; turn != TurnLists.None; turn = turns.After(turn))
                {
                    count += IsMember(turns.Task(turn)) ? 1 : 0;
                }
                long due = (passed + owed) / length;
                for (int nth = 1; nth < due; nth++)
                {
                    count += slots[(current + nth) % slots.Length].Members;
                }
                return count;
            }
        }

        /// <summary>Runs the tasks of the current slot whose turn comes before `until`.</summary>
        private void RunSlot(UpdateContext context, long until)
        {
            Slot slot = slots[current];
            if (!hasBegun)
            {
                hasBegun = true;
                TurnLists.List empty = waiting;
                waiting = slot.Turns;
                slot.Turns = empty;
                roundTotal = Load(current);
                roundDone = 0;
                roundMean = mean;
            }
            while (!context.IsStopped)
            {
                int count = FillBatch(context, until);
                if (count == 0)
                {
                    return;
                }
                Nanos before = reading ?? context.Clock();
                int runs = context.Runs;
                int taken = context.Run(batch, 0, count);
                runs = context.Runs - runs;
                Nanos after = context.Clock();
                reading = after;
                TakeTurns(taken);
                if (runs > 0)
                {
                    Learn(taken, new Nanos((after - before).Count / runs));
                }
            }
        }

        /// <summary>
        /// Writes the next tasks whose turn comes before `until` to the batch. Returns the number of these tasks.
        /// </summary>
        private int FillBatch(UpdateContext context, long until)
        {
            Nanos late = interval + slotTime;
            Nanos early = interval - slotTime;
            int count = 0;
            long done = roundDone;
            int next = waiting.First;
            while (count < batchSize && next != TurnLists.None)
            {
                int turn = next;
                next = turns.After(turn);
                TaskId task = turns.Task(turn);
                if (!IsMember(task))
                {
                    turns.Remove(waiting, turn);
                    turns.Delete(turn);
                    continue;
                }
                Member member = members[task.Index];
                // An update that runs a full round ends with the task with which it began.
                if (member.RanIn == updates)
                {
                    break;
                }
                long load = member.LoadOr(roundMean);
                // A task runs when half of its cost is due, so that on average, an update runs its share.
                var half = new Product(2 * done + load, length);
                bool isDue = !half.IsMoreThan(new Product(2 * until, roundTotal));
                Nanos age = context.Age(task);
                bool isEarly = member.Arrival == Arrival.FromLaterSlot && age < early;
                // The age of a dead task is MaxValue, so it takes its turn and is skipped.
                if (until < length && (!isDue || isEarly) && age < late)
                {
                    break;
                }
                batch[count] = task;
                done += load;
                count++;
            }
            return count;
        }

        /// <summary>Ends the turns of the first tasks that wait.</summary>
        private void TakeTurns(int count)
        {
            for (int nth = 0; nth < count; nth++)
            {
                int turn = waiting.First;
                TaskId task = turns.Task(turn);
                roundDone += members[task.Index].LoadOr(roundMean);
                members[task.Index].RanIn = updates;
                members[task.Index].Arrival = Arrival.Ran;
                turns.Remove(waiting, turn);
                turns.AddLast(slots[current].Turns, turn);
            }
        }

        /// <summary>
        /// Updates the estimates of the first tasks of the batch, which ran together, with their mean cost.
        /// </summary>
        private void Learn(int count, Nanos cost)
        {
            for (int nth = 0; nth < count; nth++)
            {
                TaskId task = batch[nth];
                // A task's first estimate is never the mean of a batch, because that says little about the task.
                if (count == 1 || estimates.IsKnown(task))
                {
                    estimates.Learn(task, cost);
                    Slot slot = slots[members[task.Index].Slot];
                    slot.Leave(members[task.Index].Load);
                    members[task.Index].Load = Math.Max(1, estimates.Of(task).Count);
                    slot.Join(members[task.Index].Load);
                }
            }
            mean = Math.Max(1, estimates.Mean.Count);
            batchSize = cost < Cheap ? Math.Min(batchSize * 2, LargestBatch) : 1;
        }

        /// <summary>
        /// Returns the tasks that still wait for their turn to the current slot. They are the first tasks of its next
        /// round.
        /// </summary>
        private void EndRound()
        {
            if (hasBegun)
            {
                hasBegun = false;
                TurnLists.List ran = slots[current].Turns;
                while (ran.First != TurnLists.None)
                {
                    int turn = ran.First;
                    turns.Remove(ran, turn);
                    turns.AddLast(waiting, turn);
                }
                slots[current].Turns = waiting;
                waiting = ran;
            }
        }

        /// <summary>
        /// Moves tasks between the current slot and the slot before it, which have both run. This levels the costs of
        /// the two slots, and of the pairs that they form with their other neighbours.
        /// </summary>
        private void LevelSlots()
        {
            int count = slots.Length;
            if (count < FewestSlotsToLevel)
            {
                return;
            }
            int later = current;
            int earlier = (later + count - 1) % count;
            long sum = Load(earlier) + Load(later);
            long before = Load((later + count - 2) % count);
            long after = Load((later + 1) % count);
            long excess = 2 * (Load(earlier) - Load(later)) + before - after;
            bool isFromEarlier = excess > 0;
            int from = isFromEarlier ? earlier : later;
            int to = isFromEarlier ? later : earlier;
            excess = Math.Abs(excess);

            // The candidates are next to the border between the slots, because a move shifts them the least.
            int found = FindCandidates(slots[from].Turns, isFromEarlier);
            int moves = 0;
            while (moves < MostMoves && excess * Level > sum)
            {
                int best = FindMove(found, excess);
                if (best < 0)
                {
                    break;
                }
                int index = turns.Task(candidates[best]).Index;
                members[index].Arrival = isFromEarlier ? Arrival.FromEarlierSlot : Arrival.FromLaterSlot;
                int place = moves; // in the order of the slot
                for (; place > 0 && moved[place - 1] > best; place--)
                {
                    moved[place] = moved[place - 1];
                }
                moved[place] = best;
                moves++;
                excess -= 4 * members[index].LoadOr(mean);
            }

            // The moved tasks keep their order, next to the border between the slots.
            for (int nth = 0; nth < moves; nth++)
            {
                int turn = candidates[moved[isFromEarlier ? moves - 1 - nth : nth]];
                int index = turns.Task(turn).Index;
                members[index].Slot = to;
                slots[from].Leave(members[index].Load);
                slots[to].Join(members[index].Load);
                turns.Remove(slots[from].Turns, turn);
                if (isFromEarlier)
                {
                    turns.AddFirst(slots[to].Turns, turn);
                }
                else
                {
                    turns.AddLast(slots[to].Turns, turn);
                }
            }
        }

        /// <summary>
        /// Finds the last turns of a slot, or the first ones, and puts them into `candidates`. Returns their number.
        /// </summary>
        private int FindCandidates(TurnLists.List slot, bool areLast)
        {
            int first = slot.First;
            if (areLast && first != TurnLists.None)
            {
                first = slot.Last;
                for (int nth = 1; nth < Candidates && first != slot.First; nth++)
                {
                    first = turns.Before(first);
                }
            }
            int count = 0;
            for (int turn = first; count < Candidates && turn != TurnLists.None; turn = turns.After(turn))
            {
                candidates[count] = turn;
                count++;
            }
            return count;
        }

        /// <summary>
        /// Returns the position of the candidate whose move reduces the excess the most, or -1 if no move reduces it.
        /// </summary>
        private int FindMove(int count, long excess)
        {
            int best = -1;
            var most = new Product(0, 0);
            for (int at = 0; at < count; at++)
            {
                TaskId task = turns.Task(candidates[at]);
                if (!IsMember(task) || members[task.Index].Arrival != Arrival.Ran)
                {
                    continue;
                }
                long load = members[task.Index].LoadOr(mean);
                if (2 * load < excess)
                {
                    var gain = new Product(load, excess - 2 * load);
                    if (gain.IsMoreThan(most))
                    {
                        most = gain;
                        best = at;
                    }
                }
            }
            return best;
        }

        /// <summary>Returns the estimated cost of a slot's members, in nanoseconds.</summary>
        private long Load(int slot) => slots[slot].Load + (slots[slot].Members - slots[slot].Estimated) * mean;

        private bool IsMember(TaskId task) => members[task.Index].Task.Equals(task);

        /// <summary>How a task came into its slot.</summary>
        private enum Arrival
        {
            Born,
            Ran,
            FromLaterSlot,
            FromEarlierSlot,
        }

        private struct Member
        {
            public TaskId Task;
            public int Slot;

            /// <summary>Estimated cost in nanoseconds; zero if there is no estimate.</summary>
            public long Load;

            /// <summary>Number of the update in which the task last ran.</summary>
            public long RanIn;

            public Arrival Arrival;

            public long LoadOr(long mean) => Load == 0 ? mean : Load;
        }

        private sealed class Slot
        {
            /// <summary>
            /// Tasks in the order of their turns, including some that have died. While the current slot runs, the tasks
            /// that wait for their turn are in `waiting` instead.
            /// </summary>
            public TurnLists.List Turns;

            /// <summary>Sum of the estimated costs of the members that have an estimate, in nanoseconds.</summary>
            public long Load;
            public int Members;
            public int Estimated;

            public void Join(long load)
            {
                Load += load;
                Members++;
                Estimated += load > 0 ? 1 : 0;
            }

            public void Leave(long load)
            {
                Load -= load;
                Members--;
                Estimated -= load > 0 ? 1 : 0;
            }
        }
    }

    /// <summary>
    /// Runs each task once per interval, at a random phase of the interval that the task keeps for life. It is the same
    /// as `if ((tick + Hash(id)) % interval == 0)` in each object, but in game time and without looking at every object.
    /// The phases bunch, so some updates always run more tasks than others.
    /// </summary>
    public sealed class RandomPhase : Strategy
    {
        /// <summary>One turn of a wheel that turns once per interval. There are as many phases.</summary>
        private const long Turn = 1L << TurnBits;

        private const int TurnBits = 24;

        private readonly Nanos interval;

        /// <summary>How far the wheel has turned since the start. One turn is Turn.</summary>
        private long turned;

        /// <summary>
        /// The time that was too short to turn the wheel by another unit, in nanoseconds divided by Turn.
        /// </summary>
        private ulong rest;

        /// <summary>The tasks that are not due yet, by the value of `turned` at which they are due.</summary>
        private readonly PriorityQueue upcoming = new PriorityQueue();

        private readonly UniqueQueue due = new UniqueQueue();

        /// <summary>
        /// Creates a strategy that runs each task once per interval. With an interval of zero, all tasks run in every
        /// update.
        /// </summary>
        public RandomPhase(Nanos interval)
        {
            this.interval = interval;
        }

        internal override void Insert(TaskId task)
        {
            upcoming.Reserve(task);
            due.Reserve(task);
            Schedule(task);
        }

        internal override void Remove(TaskId task)
        {
            if (!upcoming.Remove(task))
            {
                due.Remove(task);
            }
        }

        internal override void Update(UpdateContext context)
        {
            Advance(context.Delta.Count);
            TaskId task;
            long key;
            while (upcoming.PopUntil(turned, out task, out key))
            {
                due.Push(task);
            }
            while (due.Count > 0 && context.Run(due.Front))
            {
                task = due.Front;
                due.Remove(task);
                Schedule(task);
            }
        }

        internal override int Backlog => due.Count;

        /// <summary>Turns the wheel, but by less than two whole turns, because no task runs twice.</summary>
        private void Advance(long delta)
        {
            ulong divisor = (ulong)interval.Count;
            if (divisor == 0)
            {
                turned += Turn;
                return;
            }
            turned += delta >= interval.Count ? Turn : 0;
            // A long division of delta * Turn by the interval, because the product may exceed 64 bits.
            ulong left = (ulong)delta % divisor;
            long units = 0;
            for (int digit = 0; digit < TurnBits; digit++)
            {
                units *= 2;
                left *= 2;
                FixedInterval.Carry(ref units, ref left, divisor);
            }
            left += rest;
            FixedInterval.Carry(ref units, ref left, divisor);
            turned += units;
            rest = left;
        }

        /// <summary>Adds a task to the upcoming ones. It is due when the wheel next comes past its phase.</summary>
        private void Schedule(TaskId task)
        {
            long thisTurn = turned - turned % Turn + Phase(task);
            upcoming.Push(task, thisTurn > turned ? thisTurn : thisTurn + Turn);
        }

        /// <summary>Returns the place of a task on the wheel: a hash of its id, from zero to less than Turn.</summary>
        private static long Phase(TaskId task)
        {
            unchecked
            {
                ulong id = ((ulong)(uint)(task.Generation - 1) << 32) | (uint)task.Index;
                ulong hash = (id + 1) * 0x9E3779B97F4A7C15;
                hash = (hash ^ (hash >> 30)) * 0xBF58476D1CE4E5B9;
                hash = (hash ^ (hash >> 27)) * 0x94D049BB133111EB;
                return (long)((hash ^ (hash >> 31)) % (ulong)Turn);
            }
        }
    }

    /// <summary>
    /// Runs each requested task once: all of them in the next update, or a limited number in each update, oldest request
    /// first.
    /// </summary>
    public sealed class RequestList : Strategy
    {
        private int maxRequests;

        /// <summary>Sets the maximum number of tasks that run in an update. Zero, the default, sets no limit.</summary>
        public RequestList WithMaxRequests(int maxRequests)
        {
            this.maxRequests = maxRequests;
            return this;
        }

        internal override bool IsOnRequest => true;

        internal override void Insert(TaskId task)
        {
        }

        internal override void Remove(TaskId task)
        {
        }

        internal override void Update(UpdateContext context)
        {
            int left = maxRequests > 0 ? maxRequests : int.MaxValue;
            while (left > 0 && context.Requests.Count > 0 && context.Run(context.Requests.Front))
            {
                left--;
            }
        }
    }

    /// <summary>
    /// Runs the requested tasks, first come, first served, until the update's time budget is spent, but at least one
    /// task. The remaining tasks wait for the next update. If the first task does not fit, the tasks behind it wait,
    /// too, because otherwise expensive tasks could wait forever.
    /// </summary>
    public sealed class TimeBudget : Strategy
    {
        private readonly Admission admission;
        private readonly TaskId[] next = new TaskId[Admission.LargestBatch];

        /// <summary>
        /// Creates a strategy that spends this budget of real time in each update, with prediction and pay-back. With a
        /// budget of zero, it runs one task per update.
        /// </summary>
        public TimeBudget(Nanos budget)
        {
            admission = new Admission(budget);
        }

        /// <summary>
        /// Turns prediction on or off. With prediction, a task waits if its estimated cost exceeds the remaining
        /// budget.
        /// </summary>
        public TimeBudget WithPrediction(bool predicts)
        {
            admission.Predicts = predicts;
            return this;
        }

        /// <summary>
        /// Turns pay-back on or off. With pay-back, the time by which an update exceeds its budget is taken from later
        /// budgets, at most half of each.
        /// </summary>
        public TimeBudget WithPayBack(bool paysBack)
        {
            admission.PaysBack = paysBack;
            return this;
        }

        internal override bool IsOnRequest => true;

        internal override void Insert(TaskId task) => admission.Estimates.Reserve(task);

        internal override void Remove(TaskId task) => admission.Estimates.Forget(task);

        internal override void Update(UpdateContext context)
        {
            admission.Begin(context);
            while (admission.Run(next, context.Requests.CopyTo(next)) > 0)
            {
            }
            admission.End();
        }
    }

    /// <summary>
    /// Runs each task at its own interval, which is shorter for a task that matters more: `fastest / weight`, but at
    /// most `slowest`. Interval changes smaller than the hysteresis are ignored, so small movements change nothing.
    /// </summary>
    public sealed class DistanceLod : Strategy
    {
        private readonly Deadlines deadlines = new Deadlines(64);

        /// <summary>Sets the intervals of tasks with weight 1 and 0. The defaults are 50 ms and 1 s.</summary>
        public DistanceLod WithIntervals(Nanos fastest, Nanos slowest)
        {
            deadlines.Fastest = fastest;
            deadlines.Slowest = slowest;
            return this;
        }

        /// <summary>Sets the percentage below which changes of an interval are ignored. The default is 10.</summary>
        public DistanceLod WithHysteresis(double percent)
        {
            deadlines.Hysteresis = percent / 100;
            return this;
        }

        internal override void Insert(TaskId task) => deadlines.Insert(task);

        internal override void Remove(TaskId task) => deadlines.Remove(task);

        internal override void Update(UpdateContext context)
        {
            Nanos end = context.Now;
            deadlines.BeginUpdate(context, end - context.Delta, end);
            int taken;
            do
            {
                int count = deadlines.WeighNext(context);
                taken = context.Run(deadlines.Next, 0, count);
                deadlines.TakeTurns(taken);
            }
            while (taken > 0);
            deadlines.SetNext(context, end, Nanos.Zero);
        }

        internal override int Backlog => deadlines.Waiting;
    }

    /// <summary>
    /// Runs due tasks within a time budget, earliest deadline first. A task is due again `fastest / weight` after its
    /// last run, but at the latest after `slowest`. Due times are measured on a deadline clock, which stops at the due
    /// time of the first task that does not fit into the budget. So an overload stretches all intervals by the same
    /// factor. After the overload, the clock catches up.
    /// </summary>
    public sealed class EarliestDeadline : Strategy
    {
        /// <summary>
        /// In each update, the deadline clock catches up by at most the longest interval divided by this number.
        /// </summary>
        private const int CatchUpDivisor = 64;

        /// <summary>
        /// During an overload, every interval is at least the longest interval divided by this number. Without this
        /// limit, tasks that are supposed to run in every update would leave no time for others.
        /// </summary>
        private const int MostUrgent = 256;

        private readonly Deadlines deadlines = new Deadlines(Admission.LargestBatch);
        private readonly Admission admission;

        /// <summary>The time on the deadline clock.</summary>
        private Nanos clock;

        /// <summary>How far the deadline clock is behind game time because of an overload.</summary>
        private Nanos behind;

        /// <summary>
        /// Creates a strategy that spends this budget of real time in each update, with prediction and pay-back. At
        /// least one due task runs.
        /// </summary>
        public EarliestDeadline(Nanos budget)
        {
            admission = new Admission(budget);
        }

        /// <summary>Sets the intervals of tasks with weight 1 and 0. The defaults are 50 ms and 1 s.</summary>
        public EarliestDeadline WithIntervals(Nanos fastest, Nanos slowest)
        {
            deadlines.Fastest = fastest;
            deadlines.Slowest = slowest;
            return this;
        }

        /// <summary>Turns prediction on or off, as in <see cref="TimeBudget.WithPrediction"/>.</summary>
        public EarliestDeadline WithPrediction(bool predicts)
        {
            admission.Predicts = predicts;
            return this;
        }

        /// <summary>Turns pay-back on or off, as in <see cref="TimeBudget.WithPayBack"/>.</summary>
        public EarliestDeadline WithPayBack(bool paysBack)
        {
            admission.PaysBack = paysBack;
            return this;
        }

        internal override void Insert(TaskId task)
        {
            deadlines.Insert(task);
            admission.Estimates.Reserve(task);
        }

        internal override void Remove(TaskId task)
        {
            deadlines.Remove(task);
            admission.Estimates.Forget(task);
        }

        internal override void Update(UpdateContext context)
        {
            Nanos start = clock;
            Nanos end = start + context.Delta + CatchUp();
            deadlines.BeginUpdate(context, start, end);

            admission.Begin(context);
            int taken;
            do
            {
                int count = deadlines.WeighNext(context);
                taken = admission.Run(deadlines.Next, count);
                deadlines.TakeTurns(taken);
            }
            while (taken > 0);
            admission.End();

            AdvanceClock(context.Delta, start, end);
            bool isOverload = deadlines.Waiting > 0;
            var least = new Nanos(isOverload ? deadlines.Slowest.Count / MostUrgent : 0);
            deadlines.SetNext(context, clock, least);
        }

        internal override int Backlog => deadlines.Waiting;

        /// <summary>Returns the time by which the deadline clock catches up in this update.</summary>
        private Nanos CatchUp()
        {
            long most = Math.Max(1, deadlines.Slowest.Count / CatchUpDivisor);
            return new Nanos(deadlines.Waiting > 0 ? 0 : Math.Min(behind.Count, most));
        }

        /// <summary>
        /// Advances the deadline clock from `start` to `end`, but not beyond the due time of the first waiting task.
        /// </summary>
        private void AdvanceClock(Nanos delta, Nanos start, Nanos end)
        {
            clock = end;
            if (deadlines.Waiting > 0)
            {
                Nanos due = deadlines.FirstDue;
                clock = new Nanos(Math.Max(start.Count, Math.Min(due.Count, end.Count)));
            }
            behind = behind + delta - (clock - start);
            behind = new Nanos(Math.Min(behind.Count, deadlines.Slowest.Count));
        }
    }

    /// <summary>
    /// Divides the time budget among the tasks, by weight and cost. This is stride scheduling: while the budget lasts,
    /// an update runs the task with the smallest pass. Its next pass is one stride after the virtual time. A task with
    /// cost c and weight w has the stride (c^(p-1) / w)^(1/p), in which p is the share exponent.
    /// </summary>
    /// <remarks>
    /// The virtual time advances with every run, by the cost of the run divided by the demand of all tasks, which is the
    /// sum of cost / stride. So it advances as fast as the tasks can keep up with it, and tasks with equal strides do
    /// not run as one block. After a run, a task rests until the shortest interval has passed. A task that has not run
    /// for the expiry time runs before all others, but such tasks use at most half of the budget. If there is more time
    /// than work, an update runs only as many tasks as are needed to run each task once per shortest interval.
    /// </remarks>
    public sealed class WeightedShare : Strategy
    {
        /// <summary>Smallest number of task indices that each update checks for changed weights.</summary>
        private const int LeastReviews = 64;

        /// <summary>
        /// A waiting task moves only if its stride changes by at least the old stride divided by this number.
        /// </summary>
        private const int ChangeDivisor = 8;

        /// <summary>The smallest positive number with full precision.</summary>
        private const double LeastDemand = 2.2250738585072014E-308;

        private readonly Admission admission;
        private Strides strides = new Strides(1.5);
        private Nanos fastest = Nanos.FromMilliseconds(50);
        private Nanos expiry = Nanos.FromSeconds(3);

        /// <summary>Largest number of newborn tasks that an update schedules, so that it does not take long.</summary>
        private const int MostScheduled = 8192;

        private readonly UniqueQueue newborns = new UniqueQueue();

        /// <summary>The tasks that must not run yet, in the order of their last runs.</summary>
        private readonly UniqueQueue resting = new UniqueQueue();

        /// <summary>The tasks that may run now, by pass.</summary>
        private readonly PriorityQueue waiting = new PriorityQueue();

        /// <summary>The tasks that rest or wait, in the order of their last runs.</summary>
        private readonly UniqueQueue byAge = new UniqueQueue();

        /// <summary>The share of each task, by task index.</summary>
        private Share[] shares = new Share[16];

        private readonly TaskId[] next = new TaskId[Admission.LargestBatch];
        private readonly double[] weights = new double[Admission.LargestBatch];

        /// <summary>The virtual time, and the fraction of a unit by which it is later.</summary>
        private long virtualTime;
        private double virtualFraction;

        /// <summary>The sum of the demands of the tasks that have run, and the number of these tasks.</summary>
        private double demand;
        private int demanding;

        /// <summary>The number of runs that are allowed in this update, multiplied by the shortest interval.</summary>
        private Nanos allowance;

        private int nextReview;
        private int lastRuns;
        private bool wasStopped;

        /// <summary>Whether the last update ran only expired tasks, although others were waiting.</summary>
        private bool leftNoRoom;

        /// <summary>
        /// Creates a strategy that spends this budget of real time in each update, with prediction and pay-back. At
        /// least one task runs.
        /// </summary>
        public WeightedShare(Nanos budget)
        {
            admission = new Admission(budget);
        }

        /// <summary>
        /// Sets the share exponent. An exponent of 1 minimises the largest weighted staleness of any task, and an
        /// exponent of 2 the mean. The default is 1.5.
        /// </summary>
        public WeightedShare WithShareExponent(double exponent)
        {
            strides = new Strides(exponent);
            return this;
        }

        /// <summary>Sets the shortest time between two runs of a task. The default is 50 ms.</summary>
        public WeightedShare WithFastest(Nanos fastest)
        {
            this.fastest = fastest;
            return this;
        }

        /// <summary>
        /// Sets the expiry time, after which a task runs before all others. The default is 3 s. Zero turns this off.
        /// </summary>
        public WeightedShare WithExpiry(Nanos expiry)
        {
            this.expiry = expiry;
            return this;
        }

        /// <summary>Turns prediction on or off, as in <see cref="TimeBudget.WithPrediction"/>.</summary>
        public WeightedShare WithPrediction(bool predicts)
        {
            admission.Predicts = predicts;
            return this;
        }

        /// <summary>Turns pay-back on or off, as in <see cref="TimeBudget.WithPayBack"/>.</summary>
        public WeightedShare WithPayBack(bool paysBack)
        {
            admission.PaysBack = paysBack;
            return this;
        }

        internal override void Insert(TaskId task)
        {
            newborns.Reserve(task);
            newborns.Push(task);
            Table.Fit(ref shares, task.Index);
            resting.Reserve(task);
            waiting.Reserve(task);
            byAge.Reserve(task);
            admission.Estimates.Reserve(task);
        }

        internal override void Remove(TaskId task)
        {
            newborns.Remove(task);
            Leave(task);
            admission.Estimates.Forget(task);
        }

        internal override void Update(UpdateContext context)
        {
            AdmitNewborns(context);
            Wake(context);
            Review(context);
            int mostRuns = MostRuns(context.Delta);

            admission.Begin(context);
            var half = new Nanos(admission.BudgetNow.Count / 2);
            bool othersRan = leftNoRoom && RunWaiting(context, Math.Min(mostRuns, 1));
            bool expiredRan = expiry > Nanos.Zero && RunExpired(context, half);
            while (RunWaiting(context, mostRuns - context.Runs))
            {
                othersRan = true;
            }
            admission.End();

            lastRuns = context.Runs;
            wasStopped = context.IsStopped;
            // Up to one run that this update did not use is kept for the next update.
            allowance = new Nanos(Math.Min((allowance - fastest.Times(lastRuns)).Count, fastest.Count));
            leftNoRoom &= !othersRan;
            if (expiredRan && !wasStopped)
            {
                leftNoRoom = !othersRan && waiting.Count > 0 && half > Nanos.Zero;
            }
        }

        internal override int Backlog
        {
            get
            {
                // An expired task may still rest.
                int known = Math.Max(1, waiting.Count + newborns.Count);
                return wasStopped ? Math.Min(known, byAge.Count + newborns.Count) : 0;
            }
        }

        /// <summary>
        /// Gives newborn tasks their shares. A newborn task may have run with another strategy before, so it may have
        /// to rest.
        /// </summary>
        private void AdmitNewborns(UpdateContext context)
        {
            for (int left = MostScheduled; left > 0 && newborns.Count > 0; left--)
            {
                TaskId task = newborns.Front;
                newborns.Remove(task);
                byAge.Push(task); // the stalest tasks are inserted first
                long stride = strides.Of(admission.Estimates.Of(task), context.Weight(task));
                shares[task.Index] = new Share { Pass = virtualTime + stride, Stride = stride };
                if (context.Age(task) < fastest)
                {
                    resting.Push(task);
                }
                else
                {
                    waiting.Push(task, shares[task.Index].Pass);
                }
            }
        }

        /// <summary>Lets the tasks wait that have rested for the shortest interval.</summary>
        private void Wake(UpdateContext context)
        {
            double unused = 0;
            while (resting.Count > 0 && context.Age(resting.Front) >= fastest)
            {
                TaskId task = resting.Front;
                resting.Remove(task);
                Share share = shares[task.Index];
                unused += Math.Max(0, virtualTime - share.Pass) * (double)share.Demand;
                waiting.Push(task, share.Pass);
            }
            // These tasks did not use the virtual time that has passed since their passes, so the others may.
            AdvanceVirtualTime(unused);
        }

        /// <summary>Asks for the weights of the next few tasks, and moves those whose strides have changed.</summary>
        private void Review(UpdateContext context)
        {
            int count = Math.Min(Math.Max(LeastReviews, lastRuns), byAge.Count);
            for (int nth = 0; nth < count; nth++)
            {
                TaskId task;
                if (!context.VisitNext(ref nextReview, out task) || !waiting.Contains(task))
                {
                    continue; // a resting task was weighed only a moment ago
                }
                Nanos cost = admission.Estimates.Of(task);
                long stride = strides.Of(cost, context.Weight(task));
                Share old = shares[task.Index];
                if (Math.Abs(stride - old.Stride) >= Math.Max(1, old.Stride / ChangeDivisor))
                {
                    long pass = Math.Max(0, old.Pass - old.Stride) + stride;
                    shares[task.Index].Pass = pass;
                    waiting.Push(task, pass);
                    shares[task.Index].Stride = stride;
                    if (old.Demand > 0)
                    {
                        SetStride(task, stride, cost);
                    }
                }
            }
        }

        /// <summary>
        /// Returns the number of runs with which all tasks run once per shortest interval in an update of this delta.
        /// </summary>
        private int MostRuns(Nanos delta)
        {
            allowance += delta.Times(byAge.Count);
            return fastest == Nanos.Zero ? int.MaxValue : (int)Math.Min(allowance.Count / fastest.Count, int.MaxValue);
        }

        /// <summary>
        /// Runs tasks that have expired until the update has used up the budget. Returns false if none ran.
        /// </summary>
        private bool RunExpired(UpdateContext context, Nanos budget)
        {
            Nanos limit = expiry > fastest ? expiry : fastest;
            for (bool anyRan = false; ; anyRan = true)
            {
                int count = byAge.CopyTo(next);
                int expired = 0;
                while (expired < count && context.Age(next[expired]) >= limit)
                {
                    weights[expired] = context.Weight(next[expired]);
                    expired++;
                }
                int taken = admission.RunWithin(budget, next, expired);
                if (taken == 0)
                {
                    return anyRan;
                }
                for (int nth = 0; nth < taken; nth++)
                {
                    TaskId task = next[nth];
                    if (!waiting.Remove(task))
                    {
                        resting.Remove(task); // where a task can be that another strategy ran before
                    }
                    Share share = shares[task.Index];
                    // Only the part of the stride that has passed counts, so that a run long before its turn takes
                    // nothing away from the other tasks.
                    double left = Math.Max(0, share.Pass - virtualTime);
                    Rest(context, task, weights[nth], Math.Max(0, 1 - left / share.Stride));
                }
            }
        }

        /// <summary>
        /// Runs the next waiting tasks. Returns false if none is waiting, or if the first does not fit into the budget.
        /// </summary>
        private bool RunWaiting(UpdateContext context, int most)
        {
            int count = 0;
            long pass;
            while (count < Math.Min(most, next.Length) && waiting.PopUntil(long.MaxValue, out next[count], out pass))
            {
                weights[count] = context.Weight(next[count]);
                count++;
            }
            int taken = admission.Run(next, count);
            for (int nth = 0; nth < taken; nth++)
            {
                Rest(context, next[nth], weights[nth], 1);
            }
            for (int nth = taken; nth < count; nth++)
            {
                waiting.Push(next[nth], shares[next[nth].Index].Pass);
            }
            return taken > 0;
        }

        /// <summary>
        /// Lets a task rest after its run. A fraction of the run's cost counts for the virtual time.
        /// </summary>
        private void Rest(UpdateContext context, TaskId task, double weight, double counted)
        {
            if (!context.IsAlive(task))
            {
                Leave(task);
                return;
            }
            Nanos cost = admission.Estimates.Of(task);
            long stride = strides.Of(cost, weight);
            SetStride(task, stride, cost);
            AdvanceVirtualTime(counted * Math.Max(1, cost.Count));
            shares[task.Index].Pass = virtualTime + 1 + stride; // after newborn tasks with the same stride
            byAge.MoveToEnd(task);
            resting.Push(task);
        }

        /// <summary>Sets the stride and the demand of a task that has run.</summary>
        private void SetStride(TaskId task, long stride, Nanos cost)
        {
            float old = shares[task.Index].Demand;
            float changed = (float)(Math.Max(1, cost.Count) / (double)stride);
            demanding += old > 0 ? 0 : 1;
            demand += (double)changed - (double)old;
            shares[task.Index].Stride = stride;
            shares[task.Index].Demand = changed;
        }

        /// <summary>
        /// Advances the virtual time as far as all tasks together get with this amount of work, in nanoseconds. Tasks
        /// that have not run yet count with the mean demand.
        /// </summary>
        private void AdvanceVirtualTime(double work)
        {
            // Nothing may be left of the sum after a huge demand has been subtracted.
            double all = Math.Max(demand * byAge.Count, LeastDemand);
            virtualFraction += Math.Min(work * demanding / all, Strides.Largest);
            long whole = (long)virtualFraction;
            virtualTime += whole;
            virtualFraction -= whole;
        }

        private void Leave(TaskId task)
        {
            if (byAge.Remove(task))
            {
                waiting.Remove(task);
                resting.Remove(task);
                demand -= shares[task.Index].Demand;
                demanding -= shares[task.Index].Demand > 0 ? 1 : 0;
                shares[task.Index] = default(Share);
            }
        }

        private struct Share
        {
            /// <summary>The pass that the task has, or gets when it has rested.</summary>
            public long Pass;
            public long Stride;

            /// <summary>
            /// The time that the task needs while the virtual time advances by one: its cost divided by its stride.
            /// Zero if the task has not run yet.
            /// </summary>
            public float Demand;
        }
    }
}

// The parts that strategies are made of. They have their own namespace, so that their names do not collide with a
// game's.
namespace Timeslicing.Parts
{
    internal enum EventKind
    {
        Birth,
        Death,
        Request,
    }

    /// <summary>A birth, a death or a request, of which the strategy is told after the update.</summary>
    internal struct TaskEvent
    {
        public EventKind Kind;
        public TaskId Task;
    }

    /// <summary>The context of one update, which runs tasks for a strategy and records when each task ran.</summary>
    internal abstract class UpdateContext
    {
        private readonly Tasks tasks;
        private readonly Func<Nanos> clock;

        /// <summary>The exception that the game has thrown in this update, or null.</summary>
        private ExceptionDispatchInfo failure;

        protected UpdateContext(Tasks tasks, Func<Nanos> clock)
        {
            this.tasks = tasks;
            this.clock = clock;
        }

        /// <summary>Tasks that have requested a run and have not run since.</summary>
        public readonly UniqueQueue Requests = new UniqueQueue();

        /// <summary>The game time that this update advances.</summary>
        public Nanos Delta { get; private set; }

        /// <summary>The game time after this update.</summary>
        public Nanos Now { get; private set; }

        /// <summary>The number of runs in this update.</summary>
        public int Runs { get; private set; }

        /// <summary>
        /// Whether a task did not run because the game has thrown an exception before. The strategy must then end the
        /// update, and continue with the task that did not run in the next update.
        /// </summary>
        public bool IsStopped { get; private set; }

        /// <summary>Reads the machine's clock.</summary>
        public Nanos Clock() => clock();

        /// <summary>Returns the time since the last run of a task, or the longest span if the task is dead.</summary>
        public Nanos Age(TaskId task) => tasks.Contains(task) ? Now - tasks.LastRun(task) : Nanos.MaxValue;

        public bool IsAlive(TaskId task) => tasks.Contains(task);

        /// <summary>The number of tasks.</summary>
        public int Count => tasks.Count;

        /// <summary>One more than the largest index of a living task.</summary>
        public int End => tasks.End;

        /// <summary>
        /// Visits the index `next`, or the first one if there is none, and advances `next`. Returns false if no living
        /// task has the index.
        /// </summary>
        public bool VisitNext(ref int next, out TaskId task)
        {
            if (next >= tasks.End)
            {
                next = 0;
            }
            next++;
            return tasks.TryAt(next - 1, out task);
        }

        /// <summary>Asks the game for the weight of a task, from 0 to 1. The weight of a dead task is 0.</summary>
        public double Weight(TaskId task)
        {
            double weight = 0;
            if (failure == null && tasks.Contains(task))
            {
                try
                {
                    weight = Weigh(task);
                }
                catch (Exception exception)
                {
                    failure = ExceptionDispatchInfo.Capture(exception);
                }
            }
            return weight > 0 ? Math.Min(weight, 1) : 0; // the comparison is false for NaN
        }

        /// <summary>
        /// Runs a task and closes its request. Returns false if the update was stopped before; then the task keeps its
        /// turn. A dead task takes its turn without a run.
        /// </summary>
        public bool Run(TaskId task)
        {
            if (failure != null)
            {
                IsStopped = true;
                return false;
            }
            Requests.Remove(task);
            if (tasks.Contains(task))
            {
                Nanos elapsed = Now - tasks.LastRun(task);
                tasks.SetLastRun(task, Now);
                Runs++;
                try
                {
                    Execute(task, elapsed);
                }
                catch (Exception exception)
                {
                    failure = ExceptionDispatchInfo.Capture(exception);
                }
            }
            return true;
        }

        /// <summary>Runs some tasks of an array in order. Returns the number of tasks that took their turn.</summary>
        public int Run(TaskId[] tasks, int first, int count)
        {
            int taken = 0;
            while (taken < count && Run(tasks[first + taken]))
            {
                taken++;
            }
            return taken;
        }

        /// <summary>If the game has thrown an exception in the last update, throws that exception.</summary>
        public void ThrowFailure()
        {
            if (failure != null)
            {
                failure.Throw();
            }
        }

        protected void Begin(Nanos delta)
        {
            Delta = delta;
            Now += delta;
            Runs = 0;
            IsStopped = false;
            failure = null;
        }

        protected abstract double Weigh(TaskId task);

        protected abstract void Execute(TaskId task, Nanos elapsed);
    }

    /// <summary>All living tasks, with the time of each task's last run or birth.</summary>
    internal sealed class Tasks
    {
        private readonly Stack<int> free = new Stack<int>();
        private Entry[] entries = new Entry[16];

        /// <summary>One bit for each index, which is set if a living task has the index.</summary>
        private ulong[] isUsed = new ulong[1];

        /// <summary>The number of indices that any task has had.</summary>
        private int indices;

        public int Count => indices - free.Count;

        /// <summary>One more than the largest index of a living task.</summary>
        public int End { get; private set; }

        public TaskId Add(Nanos now)
        {
            int index = free.Count > 0 ? free.Pop() : indices++;
            Table.Fit(ref entries, index);
            int generation = unchecked(entries[index].Generation + 1);
            entries[index] = new Entry { Generation = generation, IsAlive = true, LastRun = now };
            Table.Fit(ref isUsed, index / 64);
            isUsed[index / 64] |= 1UL << (index % 64);
            End = Math.Max(End, index + 1);
            return new TaskId(index, generation);
        }

        public bool Remove(TaskId task)
        {
            if (!Contains(task))
            {
                return false;
            }
            entries[task.Index].IsAlive = false;
            free.Push(task.Index);
            int word = task.Index / 64;
            isUsed[word] &= ~(1UL << (task.Index % 64));
            if (task.Index == End - 1)
            {
                while (word > 0 && isUsed[word] == 0)
                {
                    word--;
                }
                End = word * 64;
                for (ulong bits = isUsed[word]; bits != 0; bits >>= 1)
                {
                    End++;
                }
            }
            return true;
        }

        /// <summary>Returns the living task with this index, or false if there is none.</summary>
        public bool TryAt(int index, out TaskId task)
        {
            task = new TaskId(index, entries[index].Generation);
            return entries[index].IsAlive;
        }

        public bool Contains(TaskId task)
        {
            // The id may belong to another Timeslicer, so its index may be too large.
            bool isUsed = task.Index < indices && entries[task.Index].IsAlive;
            return isUsed && entries[task.Index].Generation == task.Generation;
        }

        /// <summary>Returns all tasks. The task that has not run for the longest time comes first.</summary>
        public List<TaskId> StalestFirst()
        {
            var living = new List<TaskId>();
            for (int index = 0; index < End; index++)
            {
                TaskId task;
                if (TryAt(index, out task))
                {
                    living.Add(task);
                }
            }
            living.Sort((one, other) =>
            {
                int order = LastRun(one).CompareTo(LastRun(other));
                return order != 0 ? order : one.Index - other.Index;
            });
            return living;
        }

        public Nanos LastRun(TaskId task) => entries[task.Index].LastRun;

        public void SetLastRun(TaskId task, Nanos now) => entries[task.Index].LastRun = now;

        private struct Entry
        {
            public int Generation;
            public bool IsAlive;
            public Nanos LastRun;
        }
    }

    /// <summary>
    /// A set of tasks that all run in each round. While a round is unfinished, the tasks that have already run in it
    /// come first. A new task is inserted among them, so it runs in the next round.
    /// </summary>
    internal sealed class TaskSet
    {
        private readonly List<TaskId> tasks = new List<TaskId>();

        /// <summary>Position of each task in the set, by task index.</summary>
        private int[] places = new int[16];

        /// <summary>Number of tasks that have taken their turn in an unfinished round.</summary>
        private int turnsTaken;

        /// <summary>Whether the last round was stopped before its end.</summary>
        public bool IsInRound { get; private set; }

        public int Backlog => IsInRound ? tasks.Count - turnsTaken : 0;

        public void Insert(TaskId task)
        {
            Table.Fit(ref places, task.Index);
            tasks.Add(task);
            Place(tasks.Count - 1, task);
            if (turnsTaken > 0)
            {
                // The new task runs in the next round. Otherwise, births could extend this round forever.
                Place(tasks.Count - 1, tasks[turnsTaken]);
                Place(turnsTaken, task);
                turnsTaken++;
            }
        }

        public void Remove(TaskId task)
        {
            int gap = places[task.Index];
            if (gap < turnsTaken)
            {
                // The gap is filled by a task that has already run in this round, so that the last task does not miss
                // its turn.
                turnsTaken--;
                Place(gap, tasks[turnsTaken]);
                gap = turnsTaken;
            }
            int last = tasks.Count - 1;
            if (gap < last)
            {
                Place(gap, tasks[last]);
            }
            tasks.RemoveAt(last);
        }

        /// <summary>
        /// Runs the tasks that have not run in this round. If the update is stopped, the next call continues the round.
        /// </summary>
        public void RunRound(UpdateContext context)
        {
            while (turnsTaken < tasks.Count)
            {
                if (!context.Run(tasks[turnsTaken]))
                {
                    IsInRound = true;
                    return;
                }
                turnsTaken++;
            }
            turnsTaken = 0;
            IsInRound = false;
        }

        private void Place(int place, TaskId task)
        {
            tasks[place] = task;
            places[task.Index] = place;
        }
    }

    /// <summary>
    /// A circular linked list of tasks. Its links are in an array, by task index, so every change takes constant time.
    /// </summary>
    internal sealed class TaskList
    {
        /// <summary>An index that no task ever has.</summary>
        public const int None = -1;

        private Link[] links = new Link[16];

        public int Count { get; private set; }

        /// <summary>Index of the task at the front, or <see cref="None"/> if the list is empty.</summary>
        public int Front = None;

        public bool Contains(TaskId task) =>
            task.Index < links.Length && links[task.Index].IsUsed && links[task.Index].Task.Equals(task);

        public TaskId At(int index) => links[index].Task;

        public int After(int index) => links[index].Next;

        public void Reserve(TaskId task) => Table.Fit(ref links, task.Index);

        /// <summary>
        /// Inserts a task before the task with the index `next`. Before the front is the end of the list.
        /// </summary>
        public void InsertBefore(int next, TaskId task)
        {
            Reserve(task);
            int index = task.Index;
            int previous = index;
            if (Count == 0)
            {
                Front = next = index;
            }
            else
            {
                previous = links[next].Previous;
            }
            links[index] = new Link { Task = task, IsUsed = true, Next = next, Previous = previous };
            links[previous].Next = index;
            links[next].Previous = index;
            Count++;
        }

        public void MoveToEnd(TaskId task)
        {
            Remove(task);
            InsertBefore(Front, task);
        }

        public void Remove(TaskId task)
        {
            Link link = links[task.Index];
            links[link.Previous].Next = link.Next;
            links[link.Next].Previous = link.Previous;
            links[task.Index].IsUsed = false;
            Count--;
            if (Front == task.Index)
            {
                Front = Count == 0 ? None : link.Next;
            }
        }

        private struct Link
        {
            public TaskId Task;
            public bool IsUsed;
            public int Next;
            public int Previous;
        }
    }

    /// <summary>
    /// A ring of tasks that take turns. Births and deaths skip no turn and repeat none. A new task takes the place of
    /// the last removed task. If another new task has already taken that place, the new task goes to the end. So if
    /// each death is followed by a birth, all other tasks keep their intervals.
    /// </summary>
    internal sealed class Ring
    {
        private readonly TaskList tasks = new TaskList();

        /// <summary>Index of the task whose turn is next.</summary>
        private int next = TaskList.None;

        /// <summary>
        /// Index of the task after the place of the last removed task, until the next insertion or removal. The flags
        /// record if the removed task was the first in the list, or the next in turn with no turn taken since.
        /// </summary>
        private int afterGap = TaskList.None;
        private bool gapIsFront;
        private bool gapIsNext;

        public int Count => tasks.Count;

        public void Insert(TaskId task)
        {
            bool isEmpty = tasks.Count == 0;
            bool hasGap = afterGap != TaskList.None;
            tasks.InsertBefore(hasGap ? afterGap : tasks.Front, task);
            if (hasGap && gapIsFront)
            {
                tasks.Front = task.Index;
            }
            if (isEmpty || (hasGap && gapIsNext))
            {
                next = task.Index;
            }
            afterGap = TaskList.None;
        }

        public void Remove(TaskId task)
        {
            gapIsFront = tasks.Front == task.Index;
            gapIsNext = next == task.Index;
            afterGap = tasks.After(task.Index);
            tasks.Remove(task);
            if (tasks.Count == 0)
            {
                afterGap = TaskList.None;
            }
            if (gapIsNext)
            {
                next = afterGap;
            }
        }

        /// <summary>Runs this number of tasks in turn. Returns the number of tasks that took their turn.</summary>
        public int RunTurns(UpdateContext context, int count)
        {
            int taken = 0;
            while (taken < count && context.Run(tasks.At(next)))
            {
                next = tasks.After(next);
                gapIsNext = false;
                taken++;
            }
            return taken;
        }
    }

    /// <summary>A queue that holds each task at most once. A task can be removed from any position.</summary>
    internal sealed class UniqueQueue
    {
        private readonly TaskList tasks = new TaskList();

        public int Count => tasks.Count;

        public TaskId Front => tasks.At(tasks.Front);

        /// <summary>Makes room for a newborn task, so that updates allocate nothing.</summary>
        public void Reserve(TaskId task) => tasks.Reserve(task);

        public void Push(TaskId task)
        {
            if (!tasks.Contains(task))
            {
                tasks.InsertBefore(tasks.Front, task);
            }
        }

        public bool Remove(TaskId task)
        {
            bool isMember = tasks.Contains(task);
            if (isMember)
            {
                tasks.Remove(task);
            }
            return isMember;
        }

        public void MoveToEnd(TaskId task) => tasks.MoveToEnd(task);

        /// <summary>
        /// Copies as many tasks as fit from the front of the queue. Returns the number of these tasks.
        /// </summary>
        public int CopyTo(TaskId[] copy)
        {
            int count = Math.Min(copy.Length, tasks.Count);
            int index = tasks.Front;
            for (int nth = 0; nth < count; nth++)
            {
                copy[nth] = tasks.At(index);
                index = tasks.After(index);
            }
            return count;
        }
    }

    /// <summary>
    /// A priority queue that holds each task at most once. The task with the smallest key comes first, and among tasks
    /// with the same key, the one with the smallest index.
    /// </summary>
    internal sealed class PriorityQueue
    {
        /// <summary>A binary heap: no entry comes after the two entries at twice its index plus one or two.</summary>
        private Entry[] heap = new Entry[16];

        /// <summary>Position of each task in the heap plus one, by task index; zero if it is not there.</summary>
        private int[] places = new int[16];

        public int Count { get; private set; }

        /// <summary>Makes room for a newborn task, so that updates allocate nothing.</summary>
        public void Reserve(TaskId task)
        {
            Table.Fit(ref heap, task.Index);
            Table.Fit(ref places, task.Index);
        }

        public bool Contains(TaskId task)
        {
            int place = places[task.Index] - 1;
            return place >= 0 && heap[place].Task.Equals(task);
        }

        /// <summary>Adds a task, or changes its key if it is in the queue.</summary>
        public void Push(TaskId task, long key)
        {
            int place = Contains(task) ? places[task.Index] - 1 : Count++;
            Place(new Entry { Task = task, Key = key }, place);
        }

        /// <summary>Removes a task. Returns false if it is not in the queue.</summary>
        public bool Remove(TaskId task)
        {
            if (!Contains(task))
            {
                return false;
            }
            int gap = places[task.Index] - 1;
            places[task.Index] = 0;
            Count--;
            if (gap < Count)
            {
                Place(heap[Count], gap);
            }
            return true;
        }

        /// <summary>
        /// Removes the first task if its key is at most `limit`. Returns false if no task was removed.
        /// </summary>
        public bool PopUntil(long limit, out TaskId task, out long key)
        {
            task = heap[0].Task;
            key = heap[0].Key;
            return Count > 0 && key <= limit && Remove(task);
        }

        /// <summary>Writes an entry to a place, or moves it up or down from there until the heap is in order.</summary>
        private void Place(Entry entry, int place)
        {
            while (place > 0 && entry.IsBefore(heap[(place - 1) / 2]))
            {
                Write(heap[(place - 1) / 2], place);
                place = (place - 1) / 2;
            }
            while (true)
            {
                int child = 2 * place + 1;
                if (child + 1 < Count && heap[child + 1].IsBefore(heap[child]))
                {
                    child++;
                }
                if (child >= Count || !heap[child].IsBefore(entry))
                {
                    break;
                }
                Write(heap[child], place);
                place = child;
            }
            Write(entry, place);
        }

        private void Write(Entry entry, int place)
        {
            heap[place] = entry;
            places[entry.Task.Index] = place + 1;
        }

        private struct Entry
        {
            public TaskId Task;
            public long Key;

            public bool IsBefore(Entry other) => Key != other.Key ? Key < other.Key : Task.Index < other.Task.Index;
        }
    }

    /// <summary>
    /// The intervals and due times of tasks. The interval of a task is `Fastest / weight`, but at most `Slowest`. It is
    /// due one interval after its last due time, not after its run, so the errors from rounding to whole updates do not
    /// add up. If it is more than an interval late, it skips whole intervals.
    /// </summary>
    /// <remarks>
    /// The first due times of newborn tasks are spread over their intervals, so that tasks that are born together do
    /// not run together. If an interval grows, that takes effect at the task's next run, and the first wait is between
    /// the old interval and the new one. The game is asked for the weight of a task at its birth and just before each
    /// run. In addition, each update asks for the weights of the next few tasks, and successive updates go through all
    /// tasks. All times are on a clock of the strategy's choice, which never runs backwards.
    /// </remarks>
    internal sealed class Deadlines
    {
        /// <summary>Smallest number of task indices that each update checks for changed weights.</summary>
        private const int LeastReviews = 64;

        /// <summary>Largest number of tasks that move to the queue of due tasks at once.</summary>
        private const int MostCollected = 8192;

        public Nanos Fastest = Nanos.FromMilliseconds(50);
        public Nanos Slowest = Nanos.FromSeconds(1);

        /// <summary>The smallest change of an interval that has an effect, as a fraction of the interval.</summary>
        public double Hysteresis = 0.1;

        /// <summary>The first due tasks, after a call of <see cref="WeighNext"/>.</summary>
        public readonly TaskId[] Next;
        private readonly double[] weights;

        /// <summary>The tasks that are not due yet, by due time.</summary>
        private readonly PriorityQueue upcoming = new PriorityQueue();

        /// <summary>The tasks that are due, in the order in which they run.</summary>
        private readonly UniqueQueue due = new UniqueQueue();

        /// <summary>The end of the current update.</summary>
        private Nanos end;

        /// <summary>Largest number of newborn tasks that an update schedules, so that it does not take long.</summary>
        private const int MostScheduled = 8192;

        private readonly UniqueQueue newborns = new UniqueQueue();

        /// <summary>
        /// The start of the first update that had these newborn tasks, or null if there are none. Their waits count
        /// from this time.
        /// </summary>
        private Nanos? newbornSince;

        /// <summary>The due time and the interval of each task, by task index.</summary>
        private Record[] records = new Record[16];

        /// <summary>Tasks that have run and have no new due time yet.</summary>
        private Turn[] ran = new Turn[16];
        private int ranCount;

        private int nextReview;
        private int runs;

        /// <summary>Creates an empty collection that passes at most this number of tasks on at once.</summary>
        public Deadlines(int batch)
        {
            Next = new TaskId[batch];
            weights = new double[batch];
        }

        /// <summary>The number of tasks that are due and have not run yet.</summary>
        public int Waiting => due.Count;

        /// <summary>The due time of the first due task. There must be one.</summary>
        public Nanos FirstDue => records[due.Front.Index].Due;

        public void Insert(TaskId task)
        {
            newborns.Reserve(task);
            newborns.Push(task);
            Table.Fit(ref records, task.Index);
            Table.Fit(ref ran, task.Index);
            upcoming.Reserve(task);
            due.Reserve(task);
        }

        public void Remove(TaskId task)
        {
            upcoming.Remove(task);
            due.Remove(task);
            newborns.Remove(task);
        }

        /// <summary>
        /// Begins an update in which the clock advances from `start` to `end`: finds the tasks that are due, after it
        /// has asked for the weights of newborn tasks and of some others.
        /// </summary>
        public void BeginUpdate(UpdateContext context, Nanos start, Nanos end)
        {
            newbornSince = newbornSince ?? start;
            for (int left = MostScheduled; left > 0 && newborns.Count > 0; left--)
            {
                TaskId task = newborns.Front;
                newborns.Remove(task);
                ScheduleNewborn(task, context.Weight(task), newbornSince.Value, start);
            }
            newbornSince = newborns.Count > 0 ? newbornSince : null;
            int count = Math.Min(Math.Max(LeastReviews, runs), context.End);
            for (int nth = 0; nth < count; nth++)
            {
                TaskId task;
                if (context.VisitNext(ref nextReview, out task))
                {
                    Review(task, context.Weight(task), start);
                }
            }
            this.end = end;
            CollectDue();
            runs = 0;
        }

        /// <summary>
        /// Moves the tasks that are due to the queue of due tasks, at most <see cref="MostCollected"/> of them, so that no
        /// update takes long when very many become due at once.
        /// </summary>
        private void CollectDue()
        {
            TaskId next;
            long key;
            for (int nth = 0; nth < MostCollected && upcoming.PopUntil(end.Count, out next, out key); nth++)
            {
                due.Push(next);
            }
        }

        /// <summary>
        /// Puts the first due tasks into <see cref="Next"/> and asks for their weights. Returns the number of these
        /// tasks. Call <see cref="TakeTurns"/> after they have run.
        /// </summary>
        public int WeighNext(UpdateContext context)
        {
            if (due.Count == 0)
            {
                CollectDue();
            }
            int count = due.CopyTo(Next);
            for (int nth = 0; nth < count; nth++)
            {
                weights[nth] = context.Weight(Next[nth]);
            }
            return count;
        }

        /// <summary>Ends the turns of the first tasks in <see cref="Next"/>. At the end of the update, call <see cref="SetNext"/>.</summary>
        public void TakeTurns(int count)
        {
            for (int nth = 0; nth < count; nth++)
            {
                due.Remove(Next[nth]);
                ran[ranCount] = new Turn { Task = Next[nth], Weight = weights[nth] };
                ranCount++;
            }
            runs += count;
        }

        /// <summary>
        /// Determines the next due time of each task that has run since the last call. No interval is shorter than
        /// `least`.
        /// </summary>
        public void SetNext(UpdateContext context, Nanos now, Nanos least)
        {
            for (int nth = 0; nth < ranCount; nth++)
            {
                if (context.IsAlive(ran[nth].Task))
                {
                    SetNext(ran[nth], now.Count, least.Count);
                }
            }
            ranCount = 0;
        }

        private void SetNext(Turn turn, long now, long least)
        {
            Record record = records[turn.Task.Index];
            Nanos changed = IntervalAfter(record.Interval, turn.Weight);
            long old = Math.Max(record.Interval.Count, least);
            long interval = Math.Max(changed.Count, least);
            var wait = new Nanos(interval > old ? old + Phase(turn.Task, interval - old) : interval);
            Nanos due = new Nanos(Math.Min(record.Due.Count, now)) + wait;
            // An interval of zero means the next update.
            if (due.Count <= now && interval > 0)
            {
                long missed = (now - due.Count) / interval * interval;
                wait = new Nanos(interval);
                due = due + new Nanos(missed) + wait;
            }
            records[turn.Task.Index] = new Record { Due = due, Interval = changed, Wait = wait, HasRun = true };
            upcoming.Push(turn.Task, due.Count);
        }

        private void ScheduleNewborn(TaskId task, double weight, Nanos since, Nanos start)
        {
            Nanos interval = IntervalOf(weight);
            var wait = new Nanos(interval.Count - Phase(task, interval.Count));
            var due = new Nanos(Math.Max((since + wait).Count, start.Count));
            records[task.Index] = new Record { Due = due, Interval = interval, Wait = wait };
            upcoming.Push(task, due.Count);
        }

        /// <summary>Shortens the interval of a task whose weight has grown.</summary>
        private void Review(TaskId task, double weight, Nanos start)
        {
            Record record = records[task.Index];
            Nanos old = record.Interval;
            record.Interval = IntervalAfter(old, weight);
            if (record.Interval >= old)
            {
                return; // `SetNext` lengthens intervals
            }
            if (upcoming.Contains(task))
            {
                // A task that has run now waits for the new interval. A newborn keeps its distance from the others.
                Nanos saved = (record.HasRun ? record.Wait : old) - record.Interval;
                Nanos sooner = record.Due - saved;
                if (sooner < start)
                {
                    // Overdue tasks are spread over the new interval, so that they do not begin to run together.
                    Nanos spread = start + new Nanos(Phase(task, record.Interval.Count));
                    sooner = new Nanos(Math.Min(record.Due.Count, spread.Count));
                }
                record.Wait -= record.Due - sooner;
                record.Due = sooner;
                upcoming.Push(task, sooner.Count);
            }
            records[task.Index] = record;
        }

        private Nanos IntervalOf(double weight)
        {
            double interval = Fastest.Count / weight;
            bool isShorter = weight > 0 && interval < Slowest.Count;
            return isShorter ? Nanos.Rounded(interval) : Slowest;
        }

        /// <summary>
        /// Returns the new interval of a task, or the present one if the change is smaller than the hysteresis.
        /// </summary>
        private Nanos IntervalAfter(Nanos present, double weight)
        {
            Nanos changed = IntervalOf(weight);
            return Math.Abs(changed.Count - present.Count) >= Hysteresis * present.Count ? changed : present;
        }

        private static long Phase(TaskId task, long interval) => GoldenRatio.Part((uint)task.Index, interval);

        private struct Record
        {
            public Nanos Due;
            public Nanos Interval;

            /// <summary>
            /// Time between the last due time and this one. It differs from the interval if the task has not run yet,
            /// or if its interval has just changed.
            /// </summary>
            public Nanos Wait;
            public bool HasRun;
        }

        private struct Turn
        {
            public TaskId Task;
            public double Weight;
        }
    }

    /// <summary>
    /// Runs tasks while they fit into a time budget. The clock is read once after each run, so the time between two
    /// runs counts, too. For a very short task, reading the clock would take almost as long as the task. Tasks with an
    /// estimate below 2 µs therefore run in batches with one reading each. A batch may take 1/64 of the budget.
    /// </summary>
    internal sealed class Admission
    {
        /// <summary>Maximum number of tasks in a batch.</summary>
        public const int LargestBatch = 16;

        /// <summary>Tasks with a lower estimate may run in a batch.</summary>
        private static readonly Nanos Cheap = new Nanos(2000);

        /// <summary>A batch of several tasks may take the budget divided by this number.</summary>
        private const int BatchShare = 64;

        /// <summary>
        /// Maximum time that can be owed, as a multiple of the budget. So the effect of a stall within a task ends
        /// after twice as many updates.
        /// </summary>
        private const int MostOwed = 64;

        public readonly Estimates Estimates = new Estimates();
        public bool Predicts = true;
        public bool PaysBack = true;

        private readonly Nanos budget;

        /// <summary>Time by which earlier updates exceeded their budgets and that has not been paid back yet.</summary>
        private Nanos owed;

        private UpdateContext context;
        private Nanos spent;
        private Nanos? reading;
        private int runs;

        public Admission(Nanos budget)
        {
            this.budget = budget;
        }

        /// <summary>
        /// Time that this update may spend: the budget less the time that is paid back, but at least half of the
        /// budget.
        /// </summary>
        public Nanos BudgetNow { get; private set; }

        /// <summary>
        /// Begins an update. Call this in every update, because an update without runs also pays back owed time.
        /// </summary>
        public void Begin(UpdateContext context)
        {
            this.context = context;
            if (!PaysBack)
            {
                owed = Nanos.Zero;
            }
            BudgetNow = new Nanos(Math.Max((budget - owed).Count, budget.Count / 2));
            spent = Nanos.Zero;
            reading = null;
            runs = 0;
        }

        /// <summary>
        /// Runs the first tasks of an array while they fit into the budget. Returns the number of tasks that took their
        /// turn. Call this again with the tasks that follow, until it returns zero. Then the update is over.
        /// </summary>
        public int Run(TaskId[] tasks, int count) => RunWithin(BudgetNow, tasks, count);

        /// <summary>
        /// Works like <see cref="Run"/>, but with another budget. The first task of an update runs even if it does not
        /// fit.
        /// </summary>
        public int RunWithin(Nanos budget, TaskId[] tasks, int count)
        {
            int taken = 0;
            while (taken < count && !context.IsStopped)
            {
                int cheap = CountCheap(budget, tasks, taken, count);
                bool fits = cheap > 0 || Fits(spent, Assumed(tasks[taken]), budget);
                if (!fits && runs > 0)
                {
                    break;
                }
                taken += RunMeasured(tasks, taken, Math.Max(1, cheap));
            }
            return taken;
        }

        /// <summary>Ends an update and records its overrun.</summary>
        public void End()
        {
            owed = new Nanos(Math.Min((owed + spent - budget).Count, budget.Times(MostOwed).Count));
        }

        /// <summary>
        /// Returns the number of tasks that are so cheap that they may run before the clock is read again.
        /// </summary>
        private int CountCheap(Nanos budget, TaskId[] tasks, int first, int end)
        {
            var longest = new Nanos(BudgetNow.Count / BatchShare);
            Nanos sum = Nanos.Zero;
            int count = 0;
            while (first + count < end)
            {
                TaskId task = tasks[first + count];
                Nanos estimate = Estimates.Of(task);
                bool isCheap = Estimates.IsKnown(task) && estimate < Cheap;
                if (!isCheap || sum >= longest || !Fits(spent + sum, estimate, budget))
                {
                    break;
                }
                sum += estimate;
                count++;
            }
            return count;
        }

        /// <summary>
        /// Returns the cost that is assumed when a task has to fit into the remaining budget. A task that has never
        /// run may be among the most expensive ones. However, if more than a quarter of all tasks have never run, as
        /// when a game starts, they are assumed to have the mean cost.
        /// </summary>
        private Nanos Assumed(TaskId task)
        {
            if (Estimates.IsKnown(task))
            {
                return Estimates.Of(task);
            }
            Nanos mean = Estimates.Mean;
            if (Estimates.Known * 4L < context.Count * 3L)
            {
                return mean;
            }
            long high = Math.Min(Estimates.High().Count, budget.Count / 4 * 3);
            return new Nanos(Math.Max(high, mean.Count));
        }

        private bool Fits(Nanos spent, Nanos estimate, Nanos budget)
        {
            // The first comparison rejects even a task with an estimate of zero when the budget is spent.
            return spent < budget && (!Predicts || spent + estimate <= budget);
        }

        /// <summary>
        /// Runs tasks, reads the clock, and updates their estimates with the mean cost. Returns the number of turns
        /// taken.
        /// </summary>
        private int RunMeasured(TaskId[] tasks, int first, int count)
        {
            Nanos before = reading ?? context.Clock();
            reading = before;
            int runsBefore = context.Runs;
            int taken = context.Run(tasks, first, count);
            int ran = context.Runs - runsBefore;
            runs += ran;
            if (ran == 0)
            {
                return taken;
            }
            Nanos after = context.Clock();
            reading = after;
            spent += after - before;
            var mean = new Nanos((after - before).Count / ran);
            for (int nth = first; nth < first + taken; nth++)
            {
                if (ran == taken || context.IsAlive(tasks[nth]))
                {
                    Estimates.Learn(tasks[nth], mean);
                }
            }
            return taken;
        }
    }

    /// <summary>
    /// Computes the strides of tasks, which are inversely proportional to their rates. With cost c, weight w and
    /// exponent p, the stride is (c^(p-1) / w)^(1/p), in whole units of which a task of 100 µs and weight 1 has 16384.
    /// The results are the same on every platform, because they are not computed with functions of its library.
    /// </summary>
    internal struct Strides
    {
        /// <summary>No stride is larger.</summary>
        public const double Largest = 2147483648;

        private const double Unit = 16384;

        /// <summary>The cost in nanoseconds of a task that has the stride of one unit at weight 1.</summary>
        private const double UsualCost = 100000;

        /// <summary>Smaller weights count as this one, because a weight of 0 would give an infinite stride.</summary>
        private const double LeastWeight = 1 / 65536.0;

        private const int FractionBits = 52;
        private const double Log2OfE = 1.4426950408889634;
        private static readonly double[] EvenDivisors = { 13, 9, 5, 1 };
        private static readonly double[] OddDivisors = { 11, 7, 3 };
        private static readonly double[] EvenFactorials = { 3628800, 40320, 720, 24, 2, 1 };
        private static readonly double[] OddFactorials = { 362880, 5040, 120, 6, 1 };
        private const double LogOf2 = 0.6931471805599453;
        private const double RootOf2 = 1.4142135623730951;

        private readonly double exponent;

        /// <summary>Creates strides with this exponent. Exponents below 1 and NaN count as 1.</summary>
        public Strides(double exponent)
        {
            this.exponent = exponent > 1 ? exponent : 1;
        }

        public long Of(Nanos cost, double weight)
        {
            double p = exponent;
            double w = Math.Max(weight, LeastWeight);
            double c = Math.Max(1, cost.Count) * (1 / UsualCost);
            double stride;
            if (p == 1)
            {
                stride = 1 / w;
            }
            else if (p == 2)
            {
                stride = Math.Sqrt(c / w);
            }
            else
            {
                stride = Exp2(((p - 1) * Log2(c) - Log2(w)) / p);
            }
            return Math.Max(1, (long)(stride * Unit));
        }

        private static double Log2(double number)
        {
            long bits = BitConverter.DoubleToInt64Bits(number);
            long exponent = (bits >> FractionBits) - 1023;
            const long one = 1023L << FractionBits;
            double mantissa = BitConverter.Int64BitsToDouble((bits & ((1L << FractionBits) - 1)) | one);
            // ln m = ln √2 + 2 artanh s, with |s| < 0.172.
            double s = (mantissa - RootOf2) / (mantissa + RootOf2);
            double square = s * s;
            double even = SumOfPowers(square * square, EvenDivisors);
            double odd = SumOfPowers(square * square, OddDivisors);
            return exponent + 0.5 + 2 * Log2OfE * s * (even + square * odd);
        }

        private static double Exp2(double power)
        {
            long whole = (long)(power + 1023.5); // rounds half up: the number is positive
            double x = (power + 1023 - whole) * LogOf2;
            double even = SumOfPowers(x * x, EvenFactorials);
            double odd = SumOfPowers(x * x, OddFactorials);
            return (even + x * odd) * BitConverter.Int64BitsToDouble(whole << FractionBits);
        }

        /// <summary>
        /// Returns the sum of the powers of x, each divided by a number. The divisor of the highest power comes first.
        /// </summary>
        private static double SumOfPowers(double x, double[] divisors)
        {
            double sum = 0;
            foreach (double divisor in divisors)
            {
                sum = sum * x + 1 / divisor;
            }
            return sum;
        }
    }

    /// <summary>
    /// An estimate of each task's cost. The first measurement is taken as it is. After that, an estimate rises by 3/10
    /// of its error if the run was more expensive, and falls by 1/10 if it was cheaper. A task that has never run is
    /// estimated at the mean of the other tasks.
    /// </summary>
    internal sealed class Estimates
    {
        /// <summary>The longest possible estimate, in nanoseconds.</summary>
        private const long Longest = uint.MaxValue - 1;

        /// <summary>
        /// Estimate of each task in nanoseconds plus one, by task index; zero if there is no estimate.
        /// </summary>
        private long[] entries = new long[16];

        /// <summary>How far the high cost is above the mean, in standard deviations.</summary>
        private const long Deviations = 5;

        private const int UnitBits = 8;

        private long sum;

        /// <summary>
        /// The sum of all estimates and the sum of their squares, both in whole units of 256 ns.
        /// </summary>
        private long inUnits;
        private long squares;

        /// <summary>The number of tasks that have an estimate.</summary>
        public int Known { get; private set; }

        /// <summary>The mean of all estimates, or zero if there is none.</summary>
        public Nanos Mean => new Nanos(Known == 0 ? 0 : sum / Known);

        public bool IsKnown(TaskId task) => task.Index < entries.Length && entries[task.Index] != 0;

        /// <summary>Returns the estimated cost of a task, or the mean of all estimates if the task has none.</summary>
        public Nanos Of(TaskId task) => IsKnown(task) ? new Nanos(entries[task.Index] - 1) : Mean;

        /// <summary>
        /// Returns a cost that few tasks exceed: the mean of all estimates plus five standard deviations. Returns zero
        /// if there are no estimates.
        /// </summary>
        public Nanos High()
        {
            if (Known == 0)
            {
                return Nanos.Zero;
            }
            long mean = inUnits / Known;
            // The exact mean is mean + inUnits % Known / Known.
            long squareOfMean = mean * mean + 2 * mean * (inUnits % Known) / Known;
            long variance = Math.Max(0, squares / Known - squareOfMean);
            return new Nanos(Mean.Count + ((Deviations * (long)Math.Sqrt(variance)) << UnitBits));
        }

        /// <summary>Makes room for a newborn task, so that updates allocate nothing.</summary>
        public void Reserve(TaskId task) => Table.Fit(ref entries, task.Index);

        public void Learn(TaskId task, Nanos measured)
        {
            long cost = Math.Min(measured.Count, Longest);
            if (IsKnown(task))
            {
                // The step is rounded up, so that an estimate reaches a constant cost.
                long error = cost - Of(task).Count;
                cost = Of(task).Count + (error > 0 ? (error * 3 + 9) / 10 : -((9 - error) / 10));
            }
            Forget(task);
            entries[task.Index] = cost + 1;
            Add(cost, 1);
        }

        /// <summary>Adds an estimate to the sums, or subtracts it if the sign is -1.</summary>
        private void Add(long cost, int sign)
        {
            long units = cost >> UnitBits;
            Known += sign;
            sum += sign * cost;
            inUnits += sign * units;
            squares += sign * units * units;
        }

        /// <summary>Forgets the estimate of a task, if there is one.</summary>
        public void Forget(TaskId task)
        {
            if (IsKnown(task))
            {
                Add(Of(task).Count, -1);
                entries[task.Index] = 0;
            }
        }
    }

    /// <summary>
    /// Linked lists of the turns of tasks. The turns of all lists are in one array, so a turn can move to another list
    /// without an allocation.
    /// </summary>
    internal sealed class TurnLists
    {
        /// <summary>An index that no turn ever has.</summary>
        public const int None = -1;

        private Turn[] turns = new Turn[16];

        /// <summary>Number of indices that have been used.</summary>
        private int end;

        /// <summary>Index of the first deleted turn. The others follow.</summary>
        private int deleted = None;

        public TaskId Task(int turn) => turns[turn].Task;

        public int After(int turn) => turns[turn].Next;

        public int Before(int turn) => turns[turn].Previous;

        /// <summary>Creates a turn, which is in no list yet.</summary>
        public int New(TaskId task)
        {
            int turn = deleted;
            if (turn == None)
            {
                turn = end++;
                Table.Fit(ref turns, turn);
            }
            else
            {
                deleted = turns[turn].Next;
            }
            turns[turn].Task = task;
            return turn;
        }

        /// <summary>Deletes a turn that is in no list.</summary>
        public void Delete(int turn)
        {
            turns[turn].Next = deleted;
            deleted = turn;
        }

        public void AddFirst(List list, int turn) => Link(list, turn, None, list.First);

        public void AddLast(List list, int turn) => Link(list, turn, list.Last, None);

        public void Remove(List list, int turn) => Join(list, turns[turn].Previous, turns[turn].Next);

        private void Link(List list, int turn, int previous, int next)
        {
            Join(list, previous, turn);
            Join(list, turn, next);
        }

        /// <summary>
        /// Makes two turns neighbours in a list. If the first does not exist, the second becomes the first of the list;
        /// if the second does not exist, the first becomes the last.
        /// </summary>
        private void Join(List list, int previous, int next)
        {
            if (previous == None)
            {
                list.First = next;
            }
            else
            {
                turns[previous].Next = next;
            }
            if (next == None)
            {
                list.Last = previous;
            }
            else
            {
                turns[next].Previous = previous;
            }
        }

        internal sealed class List
        {
            public int First = None;
            public int Last = None;
        }

        private struct Turn
        {
            public TaskId Task;
            public int Previous;
            public int Next;
        }
    }

    /// <summary>The 128-bit product of two numbers that are not negative.</summary>
    internal struct Product
    {
        private readonly ulong high;
        private readonly ulong low;

        public Product(long one, long other)
        {
            unchecked
            {
                ulong a = (ulong)one, b = (ulong)other;
                ulong lows = (a & uint.MaxValue) * (b & uint.MaxValue);
                ulong middle = (a >> 32) * (b & uint.MaxValue) + (lows >> 32);
                ulong rest = (a & uint.MaxValue) * (b >> 32) + (middle & uint.MaxValue);
                high = (a >> 32) * (b >> 32) + (middle >> 32) + (rest >> 32);
                low = (rest << 32) | (lows & uint.MaxValue);
            }
        }

        public bool IsMoreThan(Product other) => high > other.high || (high == other.high && low > other.low);
    }

    /// <summary>Spreads numbers evenly, because the multiples of the golden ratio are spread evenly.</summary>
    internal static class GoldenRatio
    {
        /// <summary>
        /// Returns a number from zero to less than `whole` that is different for each `nth`.
        /// </summary>
        public static long Part(uint nth, long whole)
        {
            ulong fraction = unchecked(nth * 0x9E3779B9u); // in units of 2^-32
            ulong high = ((ulong)whole >> 32) * fraction;
            return (long)(high + ((((ulong)whole & uint.MaxValue) * fraction) >> 32));
        }
    }

    /// <summary>Helps with arrays that are indexed by task index.</summary>
    internal static class Table
    {
        /// <summary>Lengthens an array if it has no entry with this index.</summary>
        public static void Fit<T>(ref T[] entries, int index)
        {
            if (index >= entries.Length)
            {
                Array.Resize(ref entries, Math.Max(2 * entries.Length, index + 1));
            }
        }
    }

    /// <summary>The machine's monotonic clock.</summary>
    internal static class MachineClock
    {
        public static readonly Func<Nanos> Read = Now;

        private static Nanos Now()
        {
            long ticks = Stopwatch.GetTimestamp();
            long seconds = ticks / Stopwatch.Frequency;
            return new Nanos(seconds * 1000000000 + ticks % Stopwatch.Frequency * 1000000000 / Stopwatch.Frequency);
        }
    }
}
