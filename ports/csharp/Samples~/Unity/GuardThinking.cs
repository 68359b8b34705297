using System;
using Timeslicing;
using UnityEngine;

/// <summary>
/// Lets all guards of a scene think, within a time budget per frame, and more often the closer they are to the player.
/// Add this component to one object of the scene.
/// </summary>
public sealed class GuardThinking : MonoBehaviour
{
    [SerializeField] private Transform player = null;
    [SerializeField] private float budgetMilliseconds = 1;

    /// <summary>Guards within this distance have the full weight of 1.</summary>
    [SerializeField] private float near = 10;

    private Timeslicer<Guard> thinking;

    // The delegates are in fields, so that updates allocate nothing.
    private Func<Guard, double> weigh;
    private Action<Guard, Nanos> think;

    /// <summary>Call this when a guard is born. The first guard can be born before this component awakes.</summary>
    public TaskId Add(Guard guard)
    {
        Prepare();
        return thinking.Add(guard);
    }

    /// <summary>Call this when a guard dies.</summary>
    public void Remove(TaskId guard) => thinking.Remove(guard);

    private void Awake() => Prepare();

    // While Time.timeScale is zero, so is Time.deltaTime, and nothing runs.
    private void Update() => thinking.Update(Nanos.FromSeconds(Time.deltaTime), weigh, think);

    private void Prepare()
    {
        if (thinking == null)
        {
            thinking = new Timeslicer<Guard>(new WeightedShare(Nanos.FromMilliseconds(budgetMilliseconds)));
            weigh = Weigh;
            think = (guard, elapsed) => guard.Think((float)elapsed.Seconds);
        }
    }

    private double Weigh(Guard guard)
    {
        float distance = Vector3.Distance(guard.transform.position, player.position);
        float ratio = near / Mathf.Max(near, distance);
        return ratio * ratio;
    }
}
