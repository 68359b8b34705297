using System;
using Godot;
using Timeslicing;

/// <summary>
/// Lets all guards of a scene think, within a time budget per frame, and more often the closer they are to the player.
/// Add one node with this script to the scene.
/// </summary>
public partial class GuardThinking : Node
{
    private Timeslicer<Guard> thinking;

    // The delegates are in fields, so that updates allocate nothing.
    private Func<Guard, double> weigh;
    private Action<Guard, Nanos> think;

    [Export]
    public Node3D Player { get; set; }

    [Export]
    public double BudgetMilliseconds { get; set; } = 1;

    /// <summary>Guards within this distance have the full weight of 1.</summary>
    [Export]
    public float Near { get; set; } = 10;

    /// <summary>Call this when a guard is born. The first guard can be born before this node is ready.</summary>
    public TaskId Add(Guard guard)
    {
        Prepare();
        return thinking.Add(guard);
    }

    /// <summary>Call this when a guard dies.</summary>
    public void Remove(TaskId guard) => thinking.Remove(guard);

    public override void _Ready() => Prepare();

    // While Engine.TimeScale is zero, so is the delta, and nothing runs. Godot does not call this in a paused tree.
    public override void _Process(double delta) => thinking.Update(Nanos.FromSeconds(delta), weigh, think);

    private void Prepare()
    {
        if (thinking == null)
        {
            thinking = new Timeslicer<Guard>(new WeightedShare(Nanos.FromMilliseconds(BudgetMilliseconds)));
            weigh = Weigh;
            think = (guard, elapsed) => guard.Think(elapsed.Seconds);
        }
    }

    private double Weigh(Guard guard)
    {
        float distance = guard.GlobalPosition.DistanceTo(Player.GlobalPosition);
        float ratio = Near / Mathf.Max(Near, distance);
        return ratio * ratio;
    }
}
