using Timeslicing;
using UnityEngine;

/// <summary>A guard that thinks now and then, instead of in every frame.</summary>
public sealed class Guard : MonoBehaviour
{
    [SerializeField] private GuardThinking thinking = null;

    private TaskId task;

    /// <summary>Decides what to do next. The time since the last decision is in seconds.</summary>
    public void Think(float elapsed)
    {
    }

    private void OnEnable() => task = thinking.Add(this);

    private void OnDisable() => thinking.Remove(task);
}
