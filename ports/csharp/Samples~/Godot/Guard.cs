using Godot;
using Timeslicing;

/// <summary>A guard that thinks now and then, instead of in every frame.</summary>
public partial class Guard : Node3D
{
    private TaskId task;

    [Export]
    public GuardThinking Thinking { get; set; }

    /// <summary>Decides what to do next. The time since the last decision is in seconds.</summary>
    public void Think(double elapsed)
    {
    }

    public override void _EnterTree() => task = Thinking.Add(this);

    public override void _ExitTree() => Thinking.Remove(task);
}
