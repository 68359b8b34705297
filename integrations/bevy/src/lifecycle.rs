//! Follows the lifecycle of entities, so that the tasks match the world: births, deaths, and entities that are disabled.

use bevy_ecs::archetype::ArchetypeEntity;
use bevy_ecs::entity::Entity;
use bevy_ecs::entity_disabling::Disabled;
use bevy_ecs::event::{EntityEvent, EventPattern};
use bevy_ecs::lifecycle::{Add, HookContext, Remove};
use bevy_ecs::observer::On;
use bevy_ecs::resource::Resource;
use bevy_ecs::system::Commands;
use bevy_ecs::world::{DeferredWorld, EntityRef, World};
use std::marker::PhantomData;

use crate::scheduler::EntitySlicer;
use crate::{Scheduler, Timesliced};

/// Exists if observers of the component [`Disabled`] update the tasks with the marker `M`.
#[derive(Resource)]
struct IsFollowed<M: 'static>(PhantomData<fn() -> M>);

/// Updates the task of an entity that is disabled or enabled.
fn follow<M: 'static, P: EventPattern<Event: EntityEvent>>(event: On<P>, mut commands: Commands) {
    let entity = event.event_target();
    commands.queue(move |world: &mut World| update_task::<M>(&mut world.into(), entity));
}

/// Makes the task of an entity match the world.
fn update_task<M: 'static>(world: &mut DeferredWorld, entity: Entity) {
    let task = world.get_entity(entity).ok();
    let task = task.filter(EntityRef::contains::<Timesliced<M>>);
    let is_disabled = task.map(|it| it.contains::<Disabled>());
    if let Some(mut scheduler) = world.get_resource_mut::<Scheduler<M>>() {
        match is_disabled {
            Some(is_disabled) => scheduler.set_task(entity, is_disabled),
            None => scheduler.end_task(entity),
        }
    }
}

impl<M: 'static> Timesliced<M> {
    pub(crate) fn on_add(mut world: DeferredWorld, context: HookContext) {
        update_task::<M>(&mut world, context.entity);
    }

    pub(crate) fn on_remove(mut world: DeferredWorld, context: HookContext) {
        if let Some(mut scheduler) = world.get_resource_mut::<Scheduler<M>>() {
            scheduler.end_task(context.entity);
        }
    }
}

impl<M: 'static> Scheduler<M> {
    pub(crate) fn on_insert(mut world: DeferredWorld, _: HookContext) {
        world.commands().queue(Self::match_world);
    }

    /// Makes the tasks match the world: the entities that have the [`Timesliced<M>`] component are tasks, and no others.
    fn match_world(world: &mut World) {
        if !world.contains_resource::<IsFollowed<M>>() {
            world.insert_resource(IsFollowed::<M>(PhantomData));
            world.add_observer(follow::<M, Add<Disabled>>);
            world.add_observer(follow::<M, Remove<Disabled>>);
        }
        let Some(scheduler) = world.get_resource::<Self>() else {
            return;
        };
        let mut entities: Vec<Entity> = scheduler.tasks.keys().copied().collect();
        entities.sort_unstable();
        // A query would leave out entities with a component of the game that disables them.
        let component = world.register_component::<Timesliced<M>>();
        let archetypes = world.archetypes().iter();
        for archetype in archetypes.filter(|archetype| archetype.contains(component)) {
            entities.extend(archetype.entities().iter().map(ArchetypeEntity::id));
        }
        for entity in entities {
            update_task::<M>(&mut world.into(), entity);
        }
    }

    fn set_task(&mut self, entity: Entity, is_disabled: bool) {
        self.tasks.entry(entity).or_default().is_disabled = is_disabled;
        self.change(move |timeslicer, tasks| {
            let Some(task) = tasks.get_mut(&entity) else {
                return;
            };
            if !task.is_disabled {
                let id = *task.id.get_or_insert_with(|| timeslicer.add(entity));
                if let Some(call) = task.pending.take() {
                    call(timeslicer, id);
                }
            } else if let Some(id) = task.id.take() {
                let backlog = timeslicer.backlog();
                timeslicer.remove(id);
                if timeslicer.backlog() < backlog {
                    task.pending = Some(EntitySlicer::request);
                }
            }
        });
    }

    fn end_task(&mut self, entity: Entity) {
        if let Some(id) = self.tasks.remove(&entity).and_then(|it| it.id) {
            self.change(move |timeslicer, _| _ = timeslicer.remove(id));
        }
    }
}
