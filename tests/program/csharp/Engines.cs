// Just enough of Unity and Godot to compile the examples of the C# port.

namespace UnityEngine
{
    public struct Vector3
    {
        public static float Distance(Vector3 one, Vector3 other) => 0;
    }

    public static class Mathf
    {
        public static float Max(float one, float other) => 0;
    }

    public static class Time
    {
        public static float deltaTime => 0;

        public static float unscaledDeltaTime => 0;
    }

    public class Component
    {
        public Transform transform => null;
    }

    public class Transform : Component
    {
        public Vector3 position => default(Vector3);
    }

    public class MonoBehaviour : Component
    {
    }

    public sealed class SerializeField : System.Attribute
    {
    }
}

namespace Godot
{
    public struct Vector3
    {
        public float DistanceTo(Vector3 other) => 0;
    }

    public static class Mathf
    {
        public static float Max(float one, float other) => 0;
    }

    public class Node
    {
        public virtual void _EnterTree()
        {
        }

        public virtual void _ExitTree()
        {
        }

        public virtual void _Ready()
        {
        }

        public virtual void _Process(double delta)
        {
        }
    }

    public class Node3D : Node
    {
        public Vector3 GlobalPosition => default(Vector3);
    }

    public sealed class ExportAttribute : System.Attribute
    {
    }
}
